#!/usr/bin/env node
import { messageOf, TopologError } from '../../common/errors.ts';
import { verifyDirectory } from '../../session/verify/verify-log.ts';
import { verifyOptions } from './options.ts';
import type { Said } from './verify.ts';

/** Checks a log for `topolog verify` and reports to its parent; see verify.ts. */
const say = (said: Said): void => void process.send?.(said);

const [dataDir = '', filesDir = '', projectId = null] = process.argv.slice(2);
try {
  const onPosition = (position: number): void => say({ position });
  say({
    verdict: await verifyDirectory({
      ...verifyOptions({ dataDir, filesDir, cell: null }, projectId),
      onPosition,
    }),
  });
} catch (error) {
  say({ failure: messageOf(error), code: error instanceof TopologError ? error.code : null });
}
