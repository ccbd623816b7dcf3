#!/usr/bin/env node
/** The server as it is, with one kind more: nodes that are processes of the test's own. */
import { serveCommand } from '../../src/cli/serve.ts';
import { createKinds } from '../../src/emulators/registry.ts';
import { echoKind } from './echo-engine.ts';

const [, , , ...flags] = process.argv;
process.exitCode = await serveCommand(flags, { kinds: createKinds([...createKinds().all(), echoKind]) });
