import { TopologError } from '../../../common/errors.ts';
import type { FirstEntry } from '../../cell.ts';
import { SEAL, sealed } from '../checked-store.ts';
import type { Session } from './session.ts';

const VERSION = 1;

/** Key of the advisory lock for creating the schema: `topolog` in octets. */
const LOCK = '0x746f706f6c6f67';

/**
 * `cell`: `batch` counts every commit of its writer, `written` is the last batch that wrote entries, `head` the
 * highest position. `lease` is a table of its own, as renewals must not wait for an append. Stored texts are `text`,
 * not JSON types, to keep exactly what was hashed. Keys are ordered by octets.
 */
const SCHEMA = `
CREATE SCHEMA topolog;
CREATE TABLE topolog.schema (version integer NOT NULL);
INSERT INTO topolog.schema VALUES (${VERSION});

CREATE TABLE topolog.cell (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  epoch bigint NOT NULL DEFAULT 0,
  batch bigint NOT NULL DEFAULT 0,
  written bigint NOT NULL DEFAULT 0,
  head bigint NOT NULL DEFAULT 0,
  made timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 10);

CREATE TABLE topolog.lease (
  cell integer PRIMARY KEY REFERENCES topolog.cell ON DELETE CASCADE,
  owner text NOT NULL DEFAULT '',
  url text NOT NULL DEFAULT '',
  epoch bigint NOT NULL DEFAULT 0,
  until timestamptz NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 10);

CREATE TABLE topolog.event (
  cell integer NOT NULL,
  position bigint NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (cell, position)
);

CREATE TABLE topolog.entry (
  cell integer NOT NULL,
  key text COLLATE "C" NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (cell, key)
);

CREATE TABLE topolog.record (
  cell integer NOT NULL,
  key text COLLATE "C" NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (cell, key)
) WITH (fillfactor = 80);

CREATE UNLOGGED TABLE topolog.standby (
  cell integer NOT NULL REFERENCES topolog.cell ON DELETE CASCADE,
  owner text NOT NULL,
  url text NOT NULL,
  position bigint NOT NULL,
  seen timestamptz NOT NULL,
  PRIMARY KEY (cell, owner)
) WITH (fillfactor = 10);

CREATE TABLE topolog.secret (
  cell integer NOT NULL REFERENCES topolog.cell ON DELETE CASCADE,
  name text COLLATE "C" NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (cell, name)
);

CREATE FUNCTION topolog.readable(text) RETURNS json LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT CASE
    WHEN $1 ~ '\\\\u(0000|d[89a-f])'
    THEN regexp_replace($1, '(?<=(^|[^\\\\])(\\\\\\\\)*)\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\ufffd', 'g')
    ELSE $1 END::json $$;
COMMENT ON FUNCTION topolog.readable(text) IS
  'a stored event as JSON; what jsonb takes in no text (octet 0, half a character) is U+FFFD';

CREATE VIEW topolog.events AS
  SELECT cell.name AS cell, event.position, e.project_id, e.version, e.type, e.v, e.at,
    e.by ->> 'principal' AS principal, e.by ->> 'address' AS address, e.by ->> 'agent' AS agent,
    e.request_id, e.cause, e.data, e.hash
  FROM topolog.cell
  JOIN topolog.event ON event.cell = cell.id
  CROSS JOIN LATERAL json_to_record(topolog.readable(event.text)) AS e (
    project_id uuid, version bigint, type text, v integer, at timestamptz, by json, request_id text, cause bigint,
    data jsonb, hash text);

CREATE VIEW topolog.records AS
  SELECT cell.name AS cell, split_part(record.key, '/', 2) AS collection, split_part(record.key, '/', 3) AS id,
    r.record ->> 'project_id' AS project_id, r.record ->> 'name' AS name, r.record
  FROM topolog.cell
  JOIN topolog.record ON record.cell = cell.id AND record.key BETWEEN 'r/' AND 'r/~'
  CROSS JOIN LATERAL (SELECT topolog.readable(left(record.value, -${SEAL}))::jsonb AS record) AS r;
COMMENT ON VIEW topolog.records IS 'projects, nodes, links and the rest, as they are now';
`;

/**
 * Creates what is missing; concurrent callers create it once. `first`: entry of a cell that is created here, in the
 * same statement.
 */
export const makeCell = async (session: Session, name: string, first: FirstEntry | null): Promise<number | null> => {
  const known = await findCell(session, name);
  if (known !== null) return known;
  if (!(await isThere(session))) await makeSchema(session);
  await session.run({
    text: `WITH made AS (INSERT INTO topolog.cell (name) VALUES ($1) ON CONFLICT DO NOTHING RETURNING id),
      noted AS (INSERT INTO topolog.record SELECT id, $2::text, $3 FROM made WHERE $2 IS NOT NULL)
      INSERT INTO topolog.lease (cell) SELECT id FROM made`,
    values: [name, first?.key ?? null, first === null ? null : sealed(first.key, first.value)],
  });
  return findCell(session, name);
};

const makeSchema = async (session: Session): Promise<void> => {
  await session.run({ text: 'BEGIN' });
  try {
    await session.run({ text: `SELECT pg_advisory_xact_lock(${BigInt(LOCK)})` });
    if (!(await isThere(session))) await session.run({ text: SCHEMA });
  } catch (error) {
    if (session.alive) await session.run({ text: 'ROLLBACK' });
    throw error;
  }
  await session.run({ text: 'COMMIT' });
};

/** Id of a cell; null: there is none of this name. Throws when the tables have another version. */
export const findCell = async (session: Session, name: string): Promise<number | null> => {
  if (!(await isThere(session))) return null;
  const { rows } = await session.run({
    text: 'SELECT version, (SELECT id FROM topolog.cell WHERE name = $1) FROM topolog.schema',
    values: [name],
  });
  const [version, id] = rows[0] as [number, number | null];
  if (version === VERSION) return id;
  const reason = `the tables in schema topolog are of version ${version}; this program knows ${VERSION}`;
  throw new TopologError('conflict', { reason });
};

/** Queries the catalog's tables: a session caches the results of looking up names. */
const isThere = async (session: Session): Promise<boolean> => {
  const { rows } = await session.run({
    text: `SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = 'topolog' AND relname = 'schema'`,
  });
  return rows.length > 0;
};
