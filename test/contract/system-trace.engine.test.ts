import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'node:test';
import { traceTool } from '../../src/emulators/trace_tool/kind.ts';
import { SYSTEM_TRACE } from '../../src/emulators/trace_tool/system-engine.ts';
import { which } from '../../src/emulators/shared/process/find-program.ts';
import { engineContract } from './engine-contract.ts';

if ((await which('traceroute')) === null) {
  it('the system trace keeps the contract of engines', { skip: 'traceroute is not installed' }, () => undefined);
} else {
  engineContract('system of the trace tool', {
    kind: traceTool,
    factory: SYSTEM_TRACE,
    given: { default_destination: '127.0.0.1' },
    // The program is through before anybody can look: what stays of a run is its file.
    outside: async ({ node_directory }) => {
      const run = await readFile(path.join(node_directory ?? '', 'trace.json'), 'utf8').catch(() => '');
      const pid = /"pid":(\d+)/.exec(run)?.[1];
      return pid === undefined ? [] : [pid];
    },
  });
}
