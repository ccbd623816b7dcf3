import type { Model, ModelContext } from '../process/model.ts';
import { createTextConsole } from './text-console.ts';

const HELP = `help     Shows this list
status   Shows what this node is
`;

/** Replaces any node in a rehearsal: has its ports, console and states, and drops all frames. No settings. */
export function simulated(context: ModelContext): Model {
  let { name, ports } = context.spec;
  const started = context.now();
  let swallowed = 0;

  const status = (): string =>
    `${name} is simulated: no emulator runs. Up ${Math.floor((context.now() - started) / 1000)} s, ` +
    `${ports.length} ports, ${swallowed} frames received and dropped.\n`;

  function run(line: string): string {
    switch (line.toLowerCase()) {
      case 'help':
      case '?':
        return HELP;
      case 'status':
        return status();
      default:
        return `"${line}" does nothing: ${name} is simulated. help lists the commands.\n`;
    }
  }

  return {
    receive() {
      swallowed += 1;
    },
    configure(spec) {
      ({ name, ports } = spec);
    },
    console:
      context.spec.console === null
        ? null
        : createTextConsole({ greeting: `${name} is simulated.`, prompt: () => `${name}> `, run }),
    stop: () => undefined,
  };
}
