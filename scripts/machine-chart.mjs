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

/** One arrow for each pair of states: the events between them are listed on it, one a line. */
const arrows = (from, transitions) => {
  const byTarget = new Map();
  for (const { event, target, guard } of transitions) {
    const to = target === undefined ? from : stateName(target);
    const label = guard === undefined ? event : `${event} [${guard}]`;
    byTarget.set(to, [...(byTarget.get(to) ?? []), label]);
  }
  return [...byTarget].map(([to, labels]) => `    ${from} --> ${to}: ${labels.join('<br/>')}`);
};

/** Pseudo-state from which the machine's own transitions leave, as mermaid has no arrow from a whole chart. */
const ANY = 'any_state';

/**
 * The chart of a machine. `states` that invoke an effect say which, and are drawn as such; transitions of the machine itself
 * (taken in any state) leave a state of their own.
 */
export const machineChart = (machine) => {
  const { initial, states = {}, on } = machine.config;
  const entries = Object.entries(states);
  const effects = entries.flatMap(([name, { invoke }]) =>
    [invoke ?? []].flat().map(({ src }) => ({ name, effect: typeof src === 'string' ? src : src.id })),
  );
  const anywhere = transitionsOf(on);
  return [
    'stateDiagram-v2',
    '    direction TB',
    '    classDef effect stroke-width:3px',
    ...(anywhere.length > 0 ? [`    state "in any state" as ${ANY}`] : []),
    `    [*] --> ${initial}`,
    ...entries.flatMap(([name, { on: own, type }]) => [
      ...arrows(name, transitionsOf(own)),
      ...(type === 'final' ? [`    ${name} --> [*]`] : []),
    ]),
    ...arrows(ANY, anywhere),
    ...effects.map(({ name, effect }) => `    ${name}: ${name}<br/>effect ${effect}`),
    ...(effects.length > 0 ? [`    class ${effects.map(({ name }) => name).join(', ')} effect`] : []),
    '',
  ].join('\n');
};

/** The page around a chart. */
export const machinePage = ({ title, text, machine, source }) =>
  [
    `# ${title}`,
    '',
    `<!-- Written by \`npm run docs:machines\` from ${source}; do not edit. -->`,
    '',
    text,
    '',
    'Arrows are events: each is on disk before the machine gets it. States with a thick border invoke the effect they name on being',
    'entered; the outcome of the effect is the next event.',
    '',
    '```mermaid',
    `${machineChart(machine)}\`\`\``,
    '',
  ].join('\n');

/** Every page: file name in docs/reference/machines → its text. `machines` are the exports of the compiled module. */
export const machinePages = ({ nodeMachine, projectMachine, captureMachine }) => ({
  'node.md': machinePage({
    title: 'A node',
    source: 'src/actors/runtime/machine.ts',
    machine: nodeMachine,
    text: [
      'One actor for each node of an open project. The interface has three words for these states: `starting` reads as `stopped`,',
      '`resuming` as `suspended`, and `suspending`, `reloading` and `stopping` as `started`. `node.adopted` and `node.lost` come from',
      'recovery: the engine was found running, or was not.',
    ].join('\n'),
  }),
  'project.md': machinePage({
    title: 'A project',
    source: 'src/actors/runtime/machine.ts',
    machine: projectMachine,
    text: [
      'One actor for each project, made when it is first needed. `opening` reads as `closed` and `closing` as `opened` on the wire.',
      'Starting and stopping all nodes is not a state of the project: it is asked of each node.',
    ].join('\n'),
  }),
  'capture.md': machinePage({
    title: 'A capture',
    source: 'src/actors/runtime/machine.ts',
    machine: captureMachine,
    text: [
      'One actor for each port that is captured, asked for at a link or at the port itself. It is made by the request and gone when the',
      'capture is off. A capture outlives a restart of its node.',
    ].join('\n'),
  }),
});
