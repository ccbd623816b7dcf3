import type { Command } from './source.ts';

/** A command as help and completion list it. */
interface Entry {
  name: string;
  /** Its arguments, as help shows them. */
  takes: string;
  does: string;
  /** What it needs is loaded with it: most of the time of a short command would go into loading the server. */
  load: () => Promise<Command>;
}

const lab = () => import('./lab.ts');

export const COMMANDS: readonly Entry[] = [
  {
    name: 'serve',
    takes: '[flags]',
    does: 'run the server',
    load: async () => {
      const [{ serveCommand }, { SERVE_HELP }] = await Promise.all([import('./serve.ts'), import('../config.ts')]);
      return { help: SERVE_HELP, run: (args) => serveCommand(args) };
    },
  },
  {
    name: 'ls',
    takes: '[PROJECT]',
    does: 'projects, or the nodes and links of one',
    load: async () => (await lab()).lsCommand,
  },
  { name: 'load', takes: 'FILE', does: 'load a project file', load: async () => (await lab()).loadCommand },
  { name: 'open', takes: 'PROJECT', does: 'open a project', load: async () => (await lab()).openCommand },
  { name: 'close', takes: 'PROJECT', does: 'close a project', load: async () => (await lab()).closeCommand },
  { name: 'start', takes: 'PROJECT|NODE...', does: 'start nodes', load: async () => (await lab()).startCommand },
  { name: 'stop', takes: 'PROJECT|NODE...', does: 'stop nodes', load: async () => (await lab()).stopCommand },
  {
    name: 'console',
    takes: 'NODE',
    does: 'the console of a node at this terminal',
    load: async () => (await import('./console.ts')).consoleCommand,
  },
  {
    name: 'capture',
    takes: 'LINK',
    does: 'the packets of a link, as pcap',
    load: async () => (await import('./capture.ts')).captureCommand,
  },
  {
    name: 'rm',
    takes: 'PROJECT|NODE...',
    does: 'delete projects and nodes',
    load: async () => (await lab()).rmCommand,
  },
  {
    name: 'log',
    takes: 'PROJECT',
    does: 'every change of a project: when, who, what',
    load: async () => (await import('./log.ts')).logCommand,
  },
  {
    name: 'verify',
    takes: '[FILE]',
    does: 'check the log, or a session file',
    load: async () => (await import('./verify.ts')).verifyCommand,
  },
  {
    name: 'export-session',
    takes: 'PROJECT',
    does: 'a signed session file',
    load: async () => (await import('./export-session.ts')).exportSessionCommand,
  },
  {
    name: 'replay',
    takes: 'FILE|PROJECT',
    does: 'perform what was recorded again and compare',
    load: async () => (await import('./replay.ts')).replayCommand,
  },
  {
    name: 'doctor',
    takes: '',
    does: 'is all well; what is left over; which engines there are',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    name: 'user',
    takes: 'add|remove|list',
    does: 'who is asked for a password',
    load: async () => (await import('./user.ts')).userCommand,
  },
  {
    name: 'repair',
    takes: '',
    does: 'make a new log of what is whole of a damaged one',
    load: async () => (await import('./repair.ts')).repairCommand,
  },
  {
    name: 'rebuild',
    takes: '',
    does: 'fold the whole log again and compare',
    load: async () => (await import('./rebuild.ts')).rebuildCommand,
  },
  {
    name: 'completion',
    takes: 'bash|zsh|fish',
    does: 'make the shell complete names with Tab',
    load: async () => (await import('./completion.ts')).completionCommand,
  },
];

export const HELP = `topolog: an event-sourced network-lab server

${COMMANDS.map(({ name, takes, does }) => `  topolog ${`${name} ${takes}`.padEnd(24)}  ${does}\n`).join('')}
topolog help COMMAND tells more of each; topolog --version tells the version.
`;

/** By its name; undefined: there is none. */
export const commandNamed = (name: string): Entry | undefined => COMMANDS.find((entry) => entry.name === name);
