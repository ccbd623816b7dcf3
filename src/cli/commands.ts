import type { Command, Entry } from './source.ts';

const lab = () => import('./lab/lab.ts');
const computes = () => import('./lab/computes.ts');
const labText = () => import('./lab/text.ts');
const exporting = () => import('./verify/export-session.ts');
const completing = () => import('./completion.ts');

const serve = async (): Promise<Command> => {
  const [{ serveCommand }, { SERVE_HELP }] = await Promise.all([import('./serve.ts'), import('../server/config.ts')]);
  return { help: SERVE_HELP, run: (args) => serveCommand(args) };
};

const ROWS: [name: string, takes: string, does: string, load: () => Promise<Command>][] = [
  ['serve', '[flags]', 'run the server', serve],
  ['ls', '[PROJECT]', 'projects, or the nodes and links of one', async () => (await lab()).lsCommand],
  ['apply', 'FILE', 'make a lab match a text', async () => (await labText()).applyCommand],
  ['show', 'PROJECT', 'print a lab as text', async () => (await labText()).showCommand],
  ['load', 'FILE', 'load a project file', async () => (await lab()).loadCommand],
  ['fork', 'PROJECT NAME', 'a new project with the lab of one', async () => (await lab()).forkCommand],
  ['open', 'PROJECT', 'open a project', async () => (await lab()).openCommand],
  ['close', 'PROJECT', 'close a project', async () => (await lab()).closeCommand],
  ['start', 'PROJECT|NODE...', 'start nodes', async () => (await lab()).startCommand],
  ['stop', 'PROJECT|NODE...', 'stop nodes', async () => (await lab()).stopCommand],
  ['console', 'NODE', 'a console at this terminal', async () => (await import('./lab/console.ts')).consoleCommand],
  [
    'exec',
    'NODE COMMAND',
    'what a command prints at a console',
    async () => (await import('./lab/exec.ts')).execCommand,
  ],
  ['capture', 'LINK', 'the packets of a link, as pcap', async () => (await import('./lab/capture.ts')).captureCommand],
  [
    'weather',
    'ls|start|pause|resume|skip|end PROJECT',
    'what happens to a lab, and when',
    async () => (await import('./lab/weather.ts')).weatherCommand,
  ],
  [
    'collect',
    '[PROJECT] [NODE...]',
    'keep versions of configurations',
    async () => (await import('./lab/collect.ts')).collectCommand,
  ],
  ['rm', 'PROJECT|NODE...', 'delete projects and nodes', async () => (await lab()).rmCommand],
  ['move', 'PROJECT|NODE...', 'put nodes on another compute', async () => (await computes()).moveCommand],
  ['computes', '', 'machines that run nodes', async () => (await computes()).computesCommand],
  [
    'compute',
    'add|connect|drain|rm COMPUTE',
    'add, connect, drain or remove one',
    async () => (await computes()).computeCommand,
  ],
  [
    'handover',
    '',
    'let another server of the cell write',
    async () => (await import('./lab/handover.ts')).handoverCommand,
  ],
  [
    'why',
    'NODE NODE|ADDRESS',
    'why it is not reached, and since when',
    async () => (await import('./lab/why.ts')).whyCommand,
  ],
  ['log', 'PROJECT', 'its changes: when, who, what', async () => (await import('./log.ts')).logCommand],
  [
    'verify',
    '[FILE]',
    'check the log, or a session file',
    async () => (await import('./verify/verify.ts')).verifyCommand,
  ],
  ['export-session', 'PROJECT', 'a signed session file', async () => (await exporting()).exportSessionCommand],
  [
    'replay',
    'FILE|PROJECT',
    'replay a session and compare',
    async () => (await import('./replay/replay.ts')).replayCommand,
  ],
  [
    'bisect',
    'FILE|PROJECT --expect …',
    'the first event after which it fails',
    async () => (await import('./replay/bisect.ts')).bisectCommand,
  ],
  ['test', 'FILE', 'run the checks of a lab', async () => (await import('./test/test.ts')).testCommand],
  ['checks', 'PROJECT', 'results of its checks', async () => (await import('./lab/checks.ts')).checksCommand],
  [
    'results',
    'PROJECT [COPY...]',
    'stages of a lab and its copies',
    async () => (await import('./lab/results.ts')).resultsCommand,
  ],
  ['doctor', '', 'check the installation and list engines', async () => (await import('./doctor.ts')).doctorCommand],
  ['user', 'add|remove|list', 'users and their passwords', async () => (await import('./user.ts')).userCommand],
  ['repair', '', 'salvage a damaged log', async () => (await import('./repair.ts')).repairCommand],
  [
    'copy-log',
    '--from PLACE --to PLACE',
    'a log into a database, or back',
    async () => (await import('./cell/copy-log.ts')).copyLogCommand,
  ],
  ['rebuild', '', 'fold the whole log again and compare', async () => (await import('./rebuild.ts')).rebuildCommand],
  [
    'completion',
    'bash|zsh|fish',
    'completion for your shell',
    async () => (await completing()).completionCommand(COMMANDS),
  ],
];

export const COMMANDS: readonly Entry[] = ROWS.map(([name, takes, does, load]) => ({ name, takes, does, load }));

export const HELP = `topolog: an event-sourced network-lab server

${COMMANDS.map(({ name, takes, does }) => `  topolog ${`${name} ${takes}`.padEnd(36)}  ${does}\n`).join('')}
topolog help COMMAND tells more of each; topolog --version tells the version,
topolog --licences the licences of the packages that are part of it.
`;

/** By its name; undefined: there is none. */
export const commandNamed = (name: string): Entry | undefined => COMMANDS.find((entry) => entry.name === name);
