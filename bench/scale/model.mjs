// How many cells and computes a school needs, reckoned from what was measured (costs.json). Nothing here is measured: the simulation
// (bench/parts/scale.mjs) and test/bench/scale.test.ts check it.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const file = path.join(import.meta.dirname, 'costs.json');

/** Each with its value, what it is, and where it was measured. */
export const COSTS = JSON.parse(readFileSync(file, 'utf8'));

const values = Object.fromEntries(Object.entries(COSTS).map(([name, { value }]) => [name, value]));

/** What may be told by flags of bench/scale.mjs: value, and what it means. */
export const INPUTS = {
  students: [10_000, 'students who work at the same time'],
  nodes: [30, 'nodes of a lab; each student has one'],
  outside: [0, 'of those, QEMU guests or containers; the others are embedded'],
  outside_mib: [512, 'memory of one of them, MiB'],
  outside_idle: [0.02, 'share of a processor that one of them takes while it idles'],
  start_within: [60, 'seconds in which everybody opens the lab and starts it'],
  outside_start_within: [600, 'seconds in which the guests and containers of a compute start'],
  changes: [120, 'changes an hour of a student: a node moved, a drawing, a filter'],
  restarts: [12, 'nodes that a student stops and starts an hour'],
  reads: [480, 'reads an hour of a student'],
  commands: [240, 'commands an hour of a student at consoles'],
  listeners: [2, 'feeds that the page of a student listens to'],
  connections: [6, 'connections of a student: feeds, requests, consoles'],
  lesson_hours: [1.5, 'length of a lesson'],
  lessons: [200, 'lessons of a student in a year'],
  servers: [2, 'servers of a cell: one writes, the others stand by and tell feeds'],
  busy: [0.5, 'share of a processor, and of the rate of appends, that is used at the most'],
  server_gib: [4, 'memory of the machine of a server, GiB'],
  compute_gib: [128, 'memory of a compute, GiB'],
  compute_processors: [32, 'processors of a compute'],
  console_ports: [5_001, 'console ports of a compute (--console-ports)'],
  most_listeners: [500, 'listeners that a server takes (src/http/limits.ts)'],
  most_connections: [8_000, 'connections that a server takes (src/http/limits.ts)'],
};

export const DEFAULTS = Object.fromEntries(Object.entries(INPUTS).map(([name, [value]]) => [name, value]));

const HOUR = 3600;
const GIB = 2 ** 30;
/** Events of a node's start: asked for, and done; of its stop as many. */
const EVENTS_OF_START = 2;
/** Server and fabric: each uses one processor above all. */
const PROCESSES = 2;

/** What one student does, each second of the work and as a whole at its beginning. */
const ofStudent = (school, costs = values) => {
  const { nodes, changes, restarts, reads, commands } = school;
  const embedded = nodes - school.outside;
  const frames = (changes + restarts * 2) / HOUR;
  const requests = (changes * costs.update_us + reads * costs.read_us) / 1e6 / HOUR + (frames * costs.frame_us) / 1e6;
  return {
    appends: (changes + restarts * 2 * EVENTS_OF_START) / HOUR,
    /** Of the feed of the project: a start and a stop show once each. */
    frames,
    /** Processors: of server and fabric where both are on one machine. */
    processor:
      requests + (restarts * costs.restart_processor_ms) / 1e3 / HOUR + (commands * costs.command_us) / 1e6 / HOUR,
    /** Of the writer, where the nodes are at computes. */
    writer: requests + (restarts * 2 * costs.start_controller_ms) / 1e3 / HOUR,
    startAppends: 1 + nodes * EVENTS_OF_START,
    /** Seconds of a processor of the writer, at whose computes the nodes are. */
    startWriter: (nodes * (costs.open_ms + costs.start_controller_ms)) / 1e3,
    /** Of the computes. */
    startComputes: (embedded * costs.start_compute_ms) / 1e3,
  };
};

/** The students that one cell takes, by what limits them. */
const limitsOfCell = (school, costs = values) => {
  const { servers, busy, start_within, nodes } = school;
  const one = ofStudent(school, costs);
  const mib = school.server_gib * 1024 - costs.server_mib - costs.fabric_mib;
  const kibOfOne = nodes * costs.controller_node_kib + (school.listeners * costs.listener_kib) / servers;
  return {
    'listeners of its servers': (servers * school.most_listeners) / school.listeners,
    'processor of the writer while everybody starts': (busy * start_within) / one.startWriter,
    'connections of its servers': (servers * school.most_connections) / school.connections,
    'appends while everybody starts': (busy * costs.appends_per_s * start_within) / one.startAppends,
    'memory of a server': (mib * 1024) / kibOfOne,
    'processor of the writer while they work': busy / one.writer,
    'appends while they work': (busy * costs.appends_per_s) / one.appends,
  };
};

/** Embedded nodes that one compute takes, and guests or containers, by what limits them. */
const limitsOfCompute = (school, costs = values) => {
  const { busy, compute_processors, start_within, outside_start_within } = school;
  const mib = school.compute_gib * 1024 - costs.server_mib - costs.fabric_mib;
  const used = Math.min(PROCESSES, compute_processors);
  return {
    embedded: {
      'console ports': school.console_ports,
      'processor while everybody starts': (busy * used * start_within * 1e3) / costs.start_compute_ms,
      'processor while they idle': busy / costs.idle_share,
      memory: (mib * 1024) / costs.node_kib,
    },
    outside: {
      'console ports': school.console_ports,
      'processor while everybody starts': (busy * compute_processors * outside_start_within) / costs.outside_start_s,
      'processor while they idle': (busy * compute_processors) / school.outside_idle,
      memory: mib / school.outside_mib,
    },
  };
};

/** Least first. */
export const inOrder = (limits) => Object.entries(limits).sort(([, a], [, b]) => a - b);

const least = (limits) => Math.floor(inOrder(limits)[0][1]);

/** What the school needs as a whole. */
export const plan = (given = {}, costs = values) => {
  const school = checked({ ...DEFAULTS, ...given });
  const one = ofStudent(school, costs);
  const cellLimits = limitsOfCell(school, costs);
  const computeLimits = limitsOfCompute(school, costs);
  if (least(cellLimits) < 1) throw new Error(`not even one student fits into a cell: ${inOrder(cellLimits)[0][0]}`);
  const cells = Math.ceil(school.students / least(cellLimits));
  const inCell = Math.ceil(school.students / cells);
  const embedded = inCell * (school.nodes - school.outside);
  const outside = inCell * school.outside;
  const shares = embedded / least(computeLimits.embedded) + outside / least(computeLimits.outside);
  const computes = cells * Math.max(1, Math.ceil(shares));
  const events = school.lessons * (2 * one.startAppends + one.appends * school.lesson_hours * HOUR) * school.students;
  const idle =
    school.students * ((school.nodes - school.outside) * costs.idle_share + school.outside * school.outside_idle);
  return {
    school,
    ...{ cellLimits, computeLimits, cells, computes, students_in_cell: inCell },
    appends_start: (school.students * one.startAppends) / school.start_within,
    appends_work: school.students * one.appends,
    processors_start: (school.students * (one.startWriter + one.startComputes)) / school.start_within,
    processors_work: school.students * one.processor + idle,
    memory_gib: memoryOf({ school, cells, computes, inCell }, costs),
    listeners: school.students * school.listeners,
    frames: school.students * one.frames,
    events_a_year: events,
    disk_a_year_gib: {
      leveldb: (events * costs.leveldb_octets) / GIB,
      postgresql: (events * costs.postgresql_octets) / GIB,
    },
  };
};

const memoryOf = ({ school, cells, computes, inCell }, costs) => {
  const both = costs.server_mib + costs.fabric_mib;
  const servers = cells * school.servers * (both + (inCell * school.nodes * costs.controller_node_kib) / 1024);
  const listeners = (school.students * school.listeners * costs.listener_kib) / 1024;
  const embedded = (school.students * (school.nodes - school.outside) * costs.node_kib) / 1024;
  const outside = school.students * school.outside * school.outside_mib;
  return (servers + listeners + computes * both + embedded + outside) / 1024;
};

const MAY_BE_NONE = new Set(['outside', 'changes', 'restarts', 'reads', 'commands', 'outside_idle']);

const checked = (school) => {
  for (const [name, value] of Object.entries(school)) {
    if (!(name in INPUTS)) throw new Error(`there is no ${name}; there are ${Object.keys(INPUTS).join(', ')}`);
    if (!Number.isFinite(value) || value < 0 || (value === 0 && !MAY_BE_NONE.has(name)))
      throw new Error(`${name} must be a number above 0, not ${value}`);
  }
  if (school.outside > school.nodes) throw new Error(`outside must be at most nodes, which are ${school.nodes}`);
  if (school.busy > 1) throw new Error(`busy must be at most 1, not ${school.busy}`);
  return school;
};

/**
 * What one server with labs in its own fabric is expected to take, for the simulation. `students`: of a class's rates. `now`: costs as
 * they are at the moment, in place of those of the table.
 */
export const expected = ({ labs, nodes, students, rates, listeners }, now = {}) => {
  const costs = { ...values, ...now };
  const one = ofStudent({ ...DEFAULTS, ...rates, nodes }, costs);
  const all = labs * nodes;
  const processor = students * one.processor + all * costs.idle_share;
  return {
    start_ms: all * costs.start_ms,
    start_processor_ms: all * costs.start_processor_ms,
    memory_mib: costs.server_mib + costs.fabric_mib + (all * costs.node_kib + listeners * costs.listener_kib) / 1024,
    appends: students * one.appends,
    processor,
    p99_ms: costs.update_p99_ms / (1 - Math.min(processor, 0.99)),
  };
};
