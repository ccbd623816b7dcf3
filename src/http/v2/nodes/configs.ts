import { z } from 'zod';
import { notFound } from '../../../common/errors.ts';
import { inSlices, type Steps } from '../../../common/slices.ts';
import { uuid } from '../../../model/types.ts';
import type { EventOf } from '../../../projections/fold/change.ts';
import { type HistoryPage, PAGE_SIZE } from '../../../projections/past/past.ts';
import { unifiedDiff } from '../../../projections/past/text-diff.ts';
import type { Api } from '../../api.ts';
import { json, type Route, route } from '../../routing/route.ts';
import { known } from '../events/events.ts';
import { NODE_PATH } from './nodes.ts';

const file = z.strictObject({ name: z.string(), bytes: z.int() });

export const configVersion = z.strictObject({
  position: z.int().meta({ description: 'Of the event that has it' }),
  at: z.string().meta({ format: 'date-time' }),
  by: z.string().meta({ description: 'Who had it collected' }),
  sha256: z.string(),
  files: z.array(file),
});

export const configContent = configVersion.extend({
  files: z.array(file.extend({ content: z.string() })),
  against: z
    .int()
    .nullable()
    .meta({ description: 'Position of the version that it is compared with; null: there is none' }),
  diff: z.string().meta({ description: 'What is different, as diff -u writes it; empty: nothing' }),
});

const collectBody = z.strictObject({
  nodes: z.array(uuid).max(10_000).exactOptional().meta({ description: 'Absent: all that keep a configuration' }),
});

export const collected = z.strictObject({
  node_id: uuid,
  name: z.string(),
  position: z.int().nullable().meta({ description: 'Of its new version; null: it has not changed, or there is none' }),
  files: z.array(z.string()),
  problem: z.string().nullable().meta({ description: 'Why it could not be read' }),
});

const against = z.object({
  against: z.coerce
    .number()
    .int()
    .positive()
    .exactOptional()
    .meta({ description: 'Position of another version. Absent: the one before' }),
});

type Version = EventOf<'node.config_collected'>;

/** Collected configurations of nodes. */
export const configRoutes = (api: Api): Route[] => [
  route('POST', '/v2/projects/{project_id}/configs/collect', {
    summary: 'Read what configures nodes, and keep it as a new version where it has changed',
    body: collectBody,
    success: { code: 200, schema: z.array(collected) },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params, body }) =>
      json(await api.commands.collectConfigs(caller, params.project_id, body.nodes ?? null)),
  }),
  route('GET', `${NODE_PATH}/configs`, {
    anyServer: true,
    summary: 'Versions of what configures a node, oldest first; also of one that was deleted',
    success: { code: 200, schema: z.array(configVersion) },
    errors: [400, 404],
    handler: async ({ params: { project_id, node_id } }) => {
      await known(api, project_id);
      return json(await versionsOf(api, project_id, node_id));
    },
  }),
  route('GET', `${NODE_PATH}/configs/{position}`, {
    anyServer: true,
    summary: 'One version, and what is different in it',
    query: against,
    success: { code: 200, schema: configContent },
    errors: [400, 404],
    handler: async ({ params: { project_id, node_id, position }, query }) => {
      await known(api, project_id);
      const versions = await versionsOf(api, project_id, node_id);
      const place = (wanted: number): number => {
        const found = versions.findIndex((version) => version.position === wanted);
        if (found < 0) throw notFound('Version', String(wanted));
        return found;
      };
      const index = place(position);
      const earlier = query.against === undefined ? versions[index - 1] : versions[place(query.against)];
      const [version, before] = await Promise.all([
        versionAt(api, position),
        earlier === undefined ? undefined : versionAt(api, earlier.position),
      ]);
      return json({ ...whole(version), ...(await inSlices(compared(before, version))) });
    },
  }),
];

const PAGE = 1_000;

/** Versions without the content of their files. */
const versionsOf = async ({ past }: Api, project_id: string, object: string): Promise<ReturnType<typeof told>[]> => {
  const versions: ReturnType<typeof told>[] = [];
  const query = { project_id, object, types: ['node.config_collected'], limit: PAGE, size: PAGE_SIZE };
  for (let from: number | null = 1; from !== null;) {
    const page: HistoryPage = await past.history({ ...query, from });
    versions.push(...page.texts.map((text) => told(JSON.parse(text) as Version)));
    from = page.next;
  }
  return versions;
};

const versionAt = async ({ past }: Api, position: number): Promise<Version> => {
  const { texts } = await past.history({ from: position, to: position, limit: 1 });
  return JSON.parse(texts[0] ?? '') as Version;
};

const told = ({ position, at, by, data: { sha256, files } }: Version) => ({
  position,
  at,
  by: by.principal,
  sha256,
  files: files.map(({ name, content }) => ({ name, bytes: Buffer.byteLength(content) })),
});

const whole = (version: Version) => ({
  ...told(version),
  files: version.data.files.map(({ name, content }) => ({ name, bytes: Buffer.byteLength(content), content })),
});

function* compared(before: Version | undefined, after: Version): Steps<{ against: number | null; diff: string }> {
  const [old, now] = [before, after].map(
    (version) => new Map(version?.data.files.map((file) => [file.name, file.content])),
  );
  const names = [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])];
  const diffs: string[] = [];
  for (const name of names) {
    const [a, b] = [old?.get(name), now?.get(name)];
    const sides = {
      before: a === undefined ? '/dev/null' : `a/${name}`,
      after: b === undefined ? '/dev/null' : `b/${name}`,
    };
    diffs.push(yield* unifiedDiff(a ?? '', b ?? '', sides));
  }
  return { against: before?.position ?? null, diff: diffs.join('') };
}
