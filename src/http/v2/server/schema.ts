import { z } from 'zod';
import { filledLine, name } from '../schema.ts';
import { line } from '../../../model/types.ts';

export const versionRecord = z.strictObject({ version: z.string(), local: z.boolean() });
export const versionCheck = z.strictObject({ version: line, local: z.boolean().exactOptional() });
export const udpPort = z.strictObject({ udp_port: z.int() });
export const role = z.enum(['writer', 'standby']).meta({
  description: 'What the server is in its cell; with a log of its own it is the writer',
});
export const health = z.looseObject({
  status: z.enum(['ok', 'read_only', 'damaged']),
  role,
  version: z.string(),
  read_only: z
    .looseObject({
      reason: z.string(),
      remedy: z.string(),
      heals: z.boolean().meta({ description: 'It writes by itself once that is possible' }),
      damage: z.looseObject({
        missing: z.array(z.strictObject({ first: z.int(), last: z.int() })),
        projects: z.array(z.string()),
        records: z.array(z.strictObject({ collection: z.string(), id: z.string() })),
      }),
    })
    .exactOptional()
    .meta({ description: 'Only of a server that only reads: positions, projects and records that are damaged' }),
  log: z.looseObject({
    position: z.int(),
    writable: z.boolean(),
    reason: z.string().nullable(),
    damage: z
      .array(z.looseObject({ position: z.int().nullable(), where: z.string(), message: z.string() }))
      .meta({ description: 'What reads have found damaged since the start' }),
  }),
  cell: z
    .looseObject({
      name: z.string(),
      place: z.string().meta({ description: 'Of the log' }),
      survived: z.string().meta({ description: 'What an answered write has survived, as the database is set now' }),
      problem: z
        .string()
        .nullable()
        .meta({ description: 'Why nobody writes, or nothing is answered, where that is known' }),
      owner: z.string().meta({ description: 'This server among the others' }),
      behind: z.int().meta({ description: 'Events that this server does not know yet' }),
      epoch: z.int().nullable(),
      writer: z.looseObject({ owner: z.string(), url: z.string(), lease_ms: z.int() }).nullable(),
      standbys: z.array(z.looseObject({ owner: z.string(), url: z.string(), position: z.int(), behind: z.int() })),
    })
    .exactOptional()
    .meta({ description: 'Only of a server that shares its log with others' }),
  fabric: z
    .looseObject({
      state: z.enum(['ok', 'hung', 'replacing', 'unused']).meta({ description: 'unused: this server only reads' }),
      pid: z.int(),
      answered_ms: z.int().meta({ description: 'Milliseconds since it answered a heartbeat' }),
      sockets: z.string().meta({ description: 'By which means it reaches UDP' }),
    })
    .meta({ description: 'The process that moves frames and consoles' }),
  public_key: z.string().meta({ description: 'With which exported sessions are signed' }),
});

export const computeRecord = z.strictObject({
  compute_id: z.string(),
  name: z.string(),
  protocol: z.enum(['http', 'https']),
  host: z.string(),
  port: z.int(),
  user: z.string().nullable(),
  connected: z.boolean(),
  cpu_usage_percent: z.number().nullable(),
  memory_usage_percent: z.number().nullable(),
  last_error: z.string().nullable(),
  capabilities: z.strictObject({
    version: z.string().nullable().meta({ description: 'null: it was never connected' }),
    node_types: z.array(z.string()),
    platform: z.string().nullable(),
  }),
  topolog: z.string().nullable().exactOptional().meta({
    description: 'Its version where it is one; null: it is not, or was never connected. Absent with the names gns3',
  }),
  clock_ahead: z
    .int()
    .nullable()
    .exactOptional()
    .meta({
      description:
        'Seconds by which its clock is ahead of that of this server; null: it is not known. Absent for this server, with the names gns3, ' +
        'and in frames about what has changed',
    }),
});

/** `missing`: what it needs, and the command or step that installs or permits it. */
export const engine = z.strictObject({
  node_type: z.string(),
  engine: z.string(),
  available: z.boolean(),
  version: z.string().nullable(),
  missing: z.strictObject({ needs: z.string(), install: z.string() }).nullable(),
});

/** What this machine can run. */
export const capabilities = z.strictObject({
  version: z.string(),
  platform: z.string(),
  node_types: z.array(z.string()),
  engines: z.array(engine).exactOptional(),
});

const digits = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be digits only')
    .transform(Number)
    .pipe(z.int().min(minimum).max(maximum));

const moment = filledLine;
const time = z.iso.datetime({ offset: true, error: 'must be an ISO time' });

/** Which events are wanted. `from` and `to` are positions; `type` is one or more, with commas, `node.` for all of a noun. */
export const eventsQuery = z.object({
  from: digits(0, Number.MAX_SAFE_INTEGER).exactOptional(),
  to: digits(0, Number.MAX_SAFE_INTEGER).exactOptional(),
  since: time.exactOptional(),
  until: time.exactOptional(),
  type: line.exactOptional(),
  node: line.exactOptional(),
  link: line.exactOptional(),
  drawing: line.exactOptional(),
  principal: line.exactOptional(),
  request: line.exactOptional(),
  limit: digits(1, 1000).exactOptional(),
});
export type EventsQuery = z.output<typeof eventsQuery>;
export const diffQuery = z.object({ from: moment, to: moment });
export const forkBody = z.strictObject({
  at: z.union([moment, z.int().transform(String)]).exactOptional(),
  name,
});
export const objectDiff = z.strictObject({
  collection: z.enum(['project', 'node', 'link', 'drawing', 'snapshot']),
  id: z.string(),
  name: z.string().nullable(),
  change: z.enum(['added', 'removed', 'changed']),
  fields: z.array(z.strictObject({ field: z.string(), from: z.unknown(), to: z.unknown() })),
});
/** An event as it is stored: docs/reference/log.md. */
export const event = z.looseObject({
  position: z.int(),
  project_id: z.string().nullable(),
  version: z.int(),
  type: z.string(),
  v: z.int(),
  at: z.string(),
  by: z.looseObject({ principal: z.string(), address: z.string().nullable(), agent: z.string().nullable() }),
  request_id: z.string().nullable(),
  cause: z.int().nullable(),
  data: z.looseObject({}),
  prev: z.string(),
  hash: z.string(),
});
export const eventsPage = z.strictObject({ events: z.array(event), next: z.int().nullable() });
export const historyPage = z.strictObject({
  events: z.array(event.extend({ causes: z.array(event) })),
  next: z.int().nullable(),
});
