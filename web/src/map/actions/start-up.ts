import type { Client } from 'topolog/client';

/** Where nodes of a kind keep what they run at every start, as the server's schemas say it. */
export interface StartUp {
  /** The property that carries the text. */
  readonly property: string;
  /** The node's file that has it. */
  readonly file: string;
  /** How a line that gives the node an address is written: `{address}`, `{prefix}`. Null: nobody knows. */
  readonly addressLine: string | null;
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
interface Document {
  readonly paths?: Readonly<
    Record<string, { post?: { requestBody?: { content?: Readonly<Record<string, { schema?: Schema }>> } } }>
  >;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

const PATH = /^\/v2\/compute\/projects\/\{project_id\}\/([^/]+)\/nodes$/;

/** By type of node. */
export const startUpsOf = (document: Document): ReadonlyMap<string, readonly StartUp[]> => {
  const found = new Map<string, StartUp[]>();
  for (const [path, { post }] of Object.entries(document.paths ?? {})) {
    const [, type] = PATH.exec(path) ?? [];
    const { schema } = post?.requestBody?.content?.['application/json'] ?? {};
    const named = schema?.$ref === undefined ? schema : document.components?.schemas?.[nameOf(schema.$ref)];
    if (type === undefined || named === undefined) continue;
    for (const [property, one] of Object.entries(named.properties ?? {})) {
      const { 'x-file': file, 'x-address-line': line } = one;
      if (typeof file !== 'string') continue;
      const addressLine = typeof line === 'string' ? line : null;
      found.set(type, [...(found.get(type) ?? []), { property, file, addressLine }]);
    }
  }
  return found;
};

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

const known = new WeakMap<Client, Promise<ReadonlyMap<string, readonly StartUp[]>>>();

/** The same for as long as the page is there; asked again after a failure. */
export const readStartUps = (client: Client): Promise<ReadonlyMap<string, readonly StartUp[]>> => {
  const kept = known.get(client);
  if (kept !== undefined) return kept;
  const reading = client.get('/v2/openapi.json').then((document) => startUpsOf(document as Document));
  known.set(client, reading);
  reading.catch(() => known.delete(client));
  return reading;
};

/** The text that a node has; empty where there is none yet. */
export const readText = async (
  client: Client,
  { project_id, node_id }: { project_id: string; node_id: string },
  file: string,
): Promise<string> => {
  const answer = await client.fetch(
    `/v2/projects/${encodeURIComponent(project_id)}/nodes/${encodeURIComponent(node_id)}/files/${file.replaceAll('{node_id}', node_id).split('/').map(encodeURIComponent).join('/')}`,
  );
  if (answer.status === 404) return '';
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  return answer.text();
};
