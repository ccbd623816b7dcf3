import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Engine, EngineContext, EngineFactory, KindNode, Started } from '../../src/emulators/kit/contract.ts';
import { defineKind } from '../../src/emulators/kit/define-kind.ts';
import { field, int } from '../../src/emulators/kit/fields.ts';
import { ethernetPort } from '../../src/emulators/ports/ports.ts';
import { Processes, type Running } from '../../src/emulators/shared/process/processes.ts';
import { toTopologError } from '../../src/fabric/client/client.ts';
import type { AttachmentSpec } from '../../src/fabric/protocol.ts';
import { freePorts, keepPorts } from './free-port.ts';
import { testProgram } from './test-program.ts';
import { until } from '../../src/common/promises.ts';

const PROGRAM = testProgram('echo-emulator');
const PORT = { adapter_number: 0, port_number: 0 };

/** Where the emulator of a node counts. */
const counterOf = (nodeDirectory: string): string => path.join(nodeDirectory, 'counter');

/** What an emulator has counted: its process, and how often. null: it has not begun. */
export const readCounter = async (nodeDirectory: string): Promise<{ pid: number; ticks: number } | null> => {
  const line = await readFile(counterOf(nodeDirectory), 'utf8').catch(() => '');
  const [, pid, ticks] = /^(\d+) (\d+)\n/.exec(line) ?? [];
  return ticks === undefined ? null : { pid: Number(pid), ticks: Number(ticks) };
};

const failed = (error: unknown): never => {
  throw toTopologError(error, 'echo');
};

/** Runs a node as a process of its own that echoes frames: everything that an engine of a real emulator has to do. */
export const ECHO: EngineFactory = {
  name: 'echo',
  create(context: EngineContext): Engine {
    const processes = new Processes({ engine: 'echo', mark: context.mark });
    processes.onExit(({ node_id }) => void detach({ node_id }).catch(() => undefined));

    const detach = ({ node_id }: Pick<KindNode, 'node_id'>) =>
      context.fabric.one({ op: 'port.detach', port: { node_id, ...PORT } }).catch(failed);
    const attach = (node: KindNode, { argv }: Running) =>
      context.fabric.one({ op: 'port.attach', attachment: attachmentOf(node, argv) }).catch(failed);

    const launch = async (node: KindNode, signal: AbortSignal): Promise<Running> => {
      const directory = node.node_directory ?? '';
      const [listen = 0, to = 0] = await freePorts(2);
      await rm(counterOf(directory), { force: true }).catch(() => undefined);
      const { boot_ms, flags } = node.properties as { boot_ms: number; flags: string[] };
      const args = [
        '--listen',
        String(listen),
        '--to',
        String(to),
        '--counter',
        counterOf(directory),
        '--boot',
        String(boot_ms),
      ];
      const running = await processes.start(
        node,
        { program: process.execPath, args: [PROGRAM, ...args, ...flags] },
        signal,
      );
      await processes.ready(node, signal, (gone) => counts(directory, gone));
      return running;
    };

    const stop = async (node: KindNode): Promise<void> => {
      await processes.stop(node);
      await detach(node);
    };

    return {
      name: 'echo',
      concurrency: 10,
      outside: true,
      missing: () => Promise.resolve(null),
      async start(node, _args, signal) {
        try {
          const running = await launch(node, signal);
          await detach(node);
          await attach(node, running);
          signal.throwIfAborted();
          return startedOf(running);
        } catch (error) {
          await stop(node).catch(() => undefined);
          throw error;
        }
      },
      stop,
      update: () => Promise.resolve(),
      async adopt(node) {
        const running = await processes.adopt(node);
        if (running === null) return null;
        keepPorts([portOf(running.argv, '--to'), portOf(running.argv, '--listen')]);
        await attach(node, running);
        return { state: 'started', started: startedOf(running) };
      },
      remove: stop,
      deadline: () => 20_000,
      onExit: (listener) => processes.onExit(listener),
      close: () => Promise.resolve(processes.close()),
    };
  },
};

const startedOf = ({ pid, started, argv }: Running): Started => ({
  pid,
  pid_started: started,
  console: null,
  command_line: argv.join(' '),
});

/** The ports are where the process has them: in its arguments. */
const attachmentOf = (node: KindNode, argv: readonly string[]): AttachmentSpec => ({
  port: { node_id: node.node_id, ...PORT },
  project_id: node.project_id,
  to: { type: 'udp', lport: portOf(argv, '--to'), rhost: '127.0.0.1', rport: portOf(argv, '--listen') },
});

const portOf = (argv: readonly string[], flag: string): number => Number(argv[argv.indexOf(flag) + 1]);

/** Resolves once the emulator has counted for the first time. */
const counts = async (directory: string, signal: AbortSignal): Promise<void> => {
  await until(() => readCounter(directory), { every: 10, signal });
};

export const echoKind = defineKind({
  name: 'echo',
  directory: 'echo',
  look: { symbol: ':/symbols/cloud.svg', port_name_format: 'Ethernet{0}', port_segment_size: 0, name: 'E{0}' },
  fields: { boot_ms: field(int(0, 60_000), 0), flags: field(z.array(z.string()), []) },
  shown: ['node_directory', 'command_line'],
  hot: [],
  ports: () => [ethernetPort('Ethernet0', 0, 0)],
  engines: [ECHO],
});
