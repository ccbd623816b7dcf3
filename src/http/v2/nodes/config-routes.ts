import { z } from 'zod';
import { unifiedDiff } from '../../../projections/past/text-diff.ts';
import { notFound } from '../../../common/errors.ts';
import { inSlices, type Steps } from '../../../common/slices.ts';
import type { EventOf } from '../../../projections/fold/change.ts';
import type { Api } from '../../api.ts';
import { json, type Route, route } from '../../routing/route.ts';
import { known } from '../events/routes.ts';
import { against, collectBody, collected, configContent, configVersion } from './config-schema.ts';
import { NODE } from './routes.ts';

type Version = EventOf<'node.config_collected'>;

/** What nodes were configured with, as it was collected. */
export const configRoutes = (api: Api): Route[] => [
  route('POST', '/v2/projects/{project_id}/configs/collect', {
    summary: 'Read what configures nodes, and keep it as a new version where it has changed',
    body: collectBody,
    success: { code: 200, schema: z.array(collected) },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params, body }) =>
      json(await api.commands.collectConfigs(caller, params.project_id, body.nodes ?? null)),
  }),
  route('GET', `${NODE}/configs`, {
    anyServer: true,
    summary: 'Versions of what configures a node, oldest first; also of one that was deleted',
    success: { code: 200, schema: z.array(configVersion) },
    errors: [400, 404],
    handler: async ({ params: { project_id, node_id } }) => {
      await known(api, project_id);
      return json((await versionsOf(api, project_id, node_id)).map(told));
    },
  }),
  route('GET', `${NODE}/configs/{position}`, {
    anyServer: true,
    summary: 'One version, and what is different in it',
    query: against,
    success: { code: 200, schema: configContent },
    errors: [400, 404],
    handler: async ({ params: { project_id, node_id, position }, query }) => {
      await known(api, project_id);
      const versions = await versionsOf(api, project_id, node_id);
      const at = (wanted: number): number => {
        const found = versions.findIndex((version) => version.position === wanted);
        if (found < 0) throw notFound('Version', String(wanted));
        return found;
      };
      const index = at(position);
      const version = versions[index];
      const before = query.against === undefined ? versions[index - 1] : versions[at(query.against)];
      return version === undefined
        ? json(null)
        : json({ ...whole(version), ...(await inSlices(compared(before, version))) });
    },
  }),
];

const PAGE = 1_000;

const versionsOf = async ({ past }: Api, project_id: string, object: string): Promise<Version[]> => {
  const versions: Version[] = [];
  for (let from: number | null = 1; from !== null;) {
    const page = await past.history({ project_id, object, types: ['node.config_collected'], from, limit: PAGE });
    versions.push(...page.texts.map((text) => JSON.parse(text) as Version));
    from = page.next;
  }
  return versions;
};

const told = ({ position, at, by, data: { sha256, files } }: Version) => ({
  ...{ position, at, by: by.principal, sha256 },
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
