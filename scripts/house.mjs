// The rooms of src: what each is for, which others it imports, and which packages only it (or few) import. Lint reads it (.oxlintrc.json),
// docs/explanation/architecture.md is made of it (npm run docs:house), and a test compares it with the tree.

/** Lowest first: a room imports only what stands above it here, and of that what its line says; types of anything above it. Everyone imports `common`. */
export const HOUSE = [
  {
    room: 'common',
    concern: 'what every room needs: errors, bounds, durable files, secrets, patterns, long tasks in slices',
    imports: [],
    owns: ['eventemitter3'],
  },
  { room: 'processes', concern: 'processes of the system: which one it is, whether it runs, its end', imports: [] },
  { room: 'memory', concern: 'what is given back: garbage and free pages; what is asked of the engine', imports: [] },
  {
    room: 'client',
    concern: 'who asks: a typed client for Node and pages, made of `/v2/openapi.json`',
    imports: [],
    owns: ['openapi-fetch'],
  },
  {
    room: 'model',
    concern: 'what things are: fields of projects, links and drawings, said once, and what rooms make of them',
    imports: [],
  },
  {
    room: 'events',
    concern: 'what happened: events and their schemas, the log over its store',
    imports: ['model'],
    owns: ['level', 'pg'],
  },
  {
    room: 'projections',
    concern: 'what is, and was: state machines, pure folds, records in memory, any earlier moment',
    imports: ['events'],
    owns: ['xstate'],
  },
  {
    room: 'picture',
    concern: 'what it looks like: a lab as one SVG, of its records and symbols',
    imports: ['projections'],
  },
  {
    room: 'fabric',
    concern: 'what flows: cables, filters, captures, consoles, embedded nodes; a process of its own',
    imports: ['memory', 'processes'],
  },
  {
    room: 'emulators',
    concern: 'what runs: one folder per kind, its engines, the contract between them and the rest',
    imports: ['fabric', 'processes'],
  },
  {
    room: 'files',
    concern: 'project files: reading, converting, writing, saving',
    imports: ['model', 'events', 'emulators'],
  },
  {
    room: 'computes',
    concern:
      'what runs elsewhere: the client of the compute group, the remote engine, tunnels between machines, placement',
    imports: ['events', 'projections', 'fabric/client', 'emulators', 'files'],
    owns: ['undici'],
  },
  {
    room: 'actors',
    concern: 'who decides: machines of projects, nodes and captures, a command for every write',
    imports: ['model', 'events', 'projections', 'fabric/client', 'emulators', 'files', 'computes', 'processes'],
    owns: ['xstate'],
  },
  {
    room: 'why',
    concern: 'why one node does not reach another, and since which event: the way of a packet, followed on paper',
    imports: ['events', 'projections', 'fabric', 'emulators'],
  },
  {
    room: 'session',
    concern: 'what proves: checking the log, signed session files',
    imports: ['events', 'projections', 'files'],
  },
  {
    room: 'replay',
    concern: "what happens again: a session's commands, given to a lab of its own and compared",
    imports: ['model', 'events', 'projections', 'files', 'session'],
  },
  {
    room: 'cluster',
    concern:
      'several servers on one log: failover, the lease watched, the log followed, requests signed for the writer, listeners handed on',
    imports: ['events', 'projections', 'emulators', 'files', 'actors'],
    owns: ['xstate'],
  },
  {
    room: 'http',
    concern: 'the facade: routes as data, schemas, the JSON of records, metrics',
    imports: ['model', 'actors', 'projections', 'picture', 'cluster'],
    owns: ['fastify', 'prom-client'],
  },
  {
    room: 'server',
    concern: 'what a server is made of: configuration, the log opened, the lab and its facade, its end',
    imports: [
      'processes',
      'client',
      'events',
      'projections',
      'fabric/client',
      'emulators',
      'files',
      'computes',
      'actors',
      'why',
      'session',
      'cluster',
      'http',
    ],
  },
  {
    room: 'cli',
    concern: 'the `topolog` command',
    imports: [
      'processes',
      'memory',
      'client',
      'events',
      'projections',
      'fabric',
      'emulators',
      'files',
      'computes',
      'session',
      'replay',
      'why',
      'cluster',
      'http',
      'server',
      'main.ts',
    ],
  },
];

const list = (names) => (names.length === 0 ? '-' : names.map((name) => `\`${name}\``).join(', '));

/** The table of docs/explanation/architecture.md. */
export const houseTable = () =>
  [
    '| Room | Concern | Imports | Only importer of |',
    '| --- | --- | --- | --- |',
    ...HOUSE.map(
      ({ room, concern, imports, owns = [] }) =>
        `| \`src/${room}/\` | ${concern} | ${list(imports)} | ${owns.length === 0 ? '' : list(owns)} |`,
    ),
  ].join('\n');
