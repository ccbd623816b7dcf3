// Draws an XState machine as a mermaid stateDiagram-v2. Pure: the same machine gives the same text.

/** `target` as in the machine's configuration (`started`, `.started`): only siblings and root children are used here. */
const stateName = (target) => String(target).replace(/^[.#]/, '').split('.').at(-1);

/** A transition is written as a target, an object or a list of either; a guard's name belongs to the arrow. */
const transitionsOf = (on = {}) =>
  Object.entries(on).flatMap(([event, given]) =>
    [given].flat().map((one) => {
      const { target, guard } = typeof one === 'string' ? { target: one } : one;
      return { event, target, guard: typeof guard === 'object' ? guard.type : guard };
    }),
  );

/** All ways out of a state: its events, what holds at once, what comes with time, and how what it invokes ends. */
const waysOut = ({ on, always, after = {}, invoke }) => [
  ...transitionsOf(on),
  ...transitionsOf({ '': always ?? [] }),
  ...transitionsOf(Object.fromEntries(Object.entries(after).map(([delay, to]) => [`after ${delay}`, to]))),
  ...[invoke ?? []].flat().flatMap(({ onDone = [], onError = [] }) => transitionsOf({ done: onDone, failed: onError })),
];

/** One arrow for each pair of states: the events between them are listed on it, one a line. */
const arrows = (from, transitions) => {
  const byTarget = new Map();
  for (const { event, target, guard } of transitions) {
    const to = target === undefined ? from : stateName(target);
    const label = guard === undefined ? event : `${event} [${guard}]`.trim();
    byTarget.set(to, [...(byTarget.get(to) ?? []), label]);
  }
  return [...byTarget].map(([to, labels]) => `${from} --> ${to}: ${labels.join('<br/>')}`.replace(/: $/, ''));
};

/** Pseudo-state from which the machine's own transitions leave, as mermaid has no arrow from a whole chart. */
const ANY = 'any_state';

const invokedBy = ({ invoke }) => [invoke ?? []].flat().map(({ src }) => src);

/** States with those in them, each with its ways out. */
const inside = ({ initial, states = {} }) => [
  `[*] --> ${initial}`,
  ...Object.entries(states).flatMap(([name, state]) => [
    ...(state.states === undefined ? [] : [`state ${name} {`, ...inside(state).map((line) => `    ${line}`), '}']),
    ...arrows(name, waysOut(state)),
    ...(state.type === 'final' ? [`${name} --> [*]`] : []),
  ]),
];

const all = ({ states = {} }) => Object.entries(states).flatMap(([name, state]) => [[name, state], ...all(state)]);

/**
 * The chart of a machine. `states` that invoke an effect say which, and are drawn as such; transitions of the machine itself
 * (taken in any state) leave a state of their own.
 */
export const machineChart = ({ config }) => {
  const effects = all(config).flatMap(([name, state]) => invokedBy(state).map((effect) => ({ name, effect })));
  const anywhere = transitionsOf(config.on).filter(({ target }) => target !== undefined);
  const lines = [
    'direction TB',
    'classDef effect stroke-width:3px',
    ...(anywhere.length > 0 ? [`state "in any state" as ${ANY}`] : []),
    ...inside(config),
    ...arrows(ANY, anywhere),
    ...effects.map(({ name, effect }) => `${name}: ${name}<br/>effect ${effect}`),
    ...(effects.length > 0 ? [`class ${effects.map(({ name }) => name).join(', ')} effect`] : []),
  ];
  return ['stateDiagram-v2', ...lines.map((line) => `    ${line}`), ''].join('\n');
};

/** The page around a chart. */
const ON_DISK = [
  'Arrows are events: each is on disk before the machine gets it. States with a thick border invoke the effect they name on being',
  'entered; the outcome of the effect is the next event.',
].join('\n');

const INVOKES = 'States with a thick border invoke what they name; `done` and `failed` are how that ends.';

export const machinePage = ({ title, text, machine, source, legend = ON_DISK }) =>
  [
    `# ${title}`,
    '',
    `<!-- Written by \`npm run docs:machines\` from ${source}; do not edit. -->`,
    '',
    text,
    '',
    legend,
    '',
    '```mermaid',
    `${machineChart(machine)}\`\`\``,
    '',
  ].join('\n');

/** Every page: file name in docs/reference/machines → its text. `machines` are the exports of the compiled module. */
export const machinePages = ({
  nodeMachine,
  projectMachine,
  captureMachine,
  serverMachine,
  checkMachine,
  weatherMachine,
}) => ({
  'node.md': machinePage({
    title: 'A node',
    source: 'src/projections/states.ts',
    machine: nodeMachine,
    text: [
      'One actor for each node of an open project. The interface has three words for these states: `starting` reads as `stopped`,',
      '`resuming` as `suspended`, and `suspending`, `reloading` and `stopping` as `started`. `node.adopted` and `node.lost` come from',
      'recovery: the engine was found running, or was not.',
    ].join('\n'),
  }),
  'project.md': machinePage({
    title: 'A project',
    source: 'src/projections/states.ts',
    machine: projectMachine,
    text: [
      'One actor for each project, made when it is first needed. `opening` reads as `closed` and `closing` as `opened` on the wire.',
      'Starting and stopping all nodes is not a state of the project: it is asked of each node.',
    ].join('\n'),
  }),
  'capture.md': machinePage({
    title: 'A capture',
    source: 'src/projections/states.ts',
    machine: captureMachine,
    text: [
      'One actor for each port that is captured, asked for at a link or at the port itself. It is made by the request and gone when the',
      'capture is off. A capture outlives a restart of its node.',
    ].join('\n'),
  }),
  'server.md': machinePage({
    title: 'A server and its right to write',
    source: 'src/cluster/server-machine.ts',
    machine: serverMachine,
    legend: `${INVOKES} \`close\` is taken in any state, once what is invoked has ended.`,
    text: [
      'One actor for each server of a cell, and for one whose log takes no writes at the moment. It changes its role by replacing the server',
      'inside this process, at the same ports. `leader` writes, `standby` follows the log and forwards, `readOnly` waits until the place of',
      'its log takes writes again, and `settled` only reads for good.',
    ].join('\n'),
  }),
  'check.md': machinePage({
    title: 'A check',
    source: 'src/actors/check/loop.ts',
    machine: checkMachine,
    legend: INVOKES,
    text: [
      'One actor for each check of a lab that runs. Its verdicts are events (`check.met`, `check.broken`), written in `judging`; the rest is',
      'not on record: after a restart of the server it begins again.',
    ].join('\n'),
  }),
  'weather.md': machinePage({
    title: 'The weather of a project',
    source: 'src/actors/weather/runs.ts',
    machine: weatherMachine,
    legend: INVOKES,
    text: [
      'One actor for each project whose weather goes on: the clock that waits for the next change. What the weather is, events say',
      '(`weather.started`, `weather.stepped`, `weather.paused`, `weather.resumed`, `weather.ended`).',
    ].join('\n'),
  }),
});
