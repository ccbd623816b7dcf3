import type { Schemas } from '../store/api.ts';
import { createStore } from '../store/store.ts';
import type { Client } from '../store/api.ts';
import type { Entry } from '../store/zip.ts';

export type Plan = Schemas['LabPlan'];
export type Change = Plan['changes'][number];
type Body = Schemas['LabText'];
export type Format = NonNullable<Body['format']>;

/** A lab as a text, with the texts beside it that it may name. */
export interface LabText {
  /** Of its file. */
  readonly title: string;
  readonly text: string;
  readonly format: Format;
  readonly files: Readonly<Record<string, string>>;
}

const TEXT = /\.ya?ml$/i;
const CONTAINERLAB = /\.clab\.ya?ml$/i;
/** Bytes: what is larger is no start-up text. */
const LARGEST = 1 << 20;

export const formatOf = (path: string): Format => (CONTAINERLAB.test(path) ? 'containerlab' : 'yaml');
export const isLabText = (path: string): boolean => TEXT.test(path);

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** The first lab as a text among files that were given, with the others beside and below it; null: there is none. */
export const labTextOf = async (entries: readonly Entry[]): Promise<LabText | null> => {
  const found = entries
    .filter(({ path }) => isLabText(path))
    .sort((a, b) => a.path.split('/').length - b.path.split('/').length)[0];
  if (found === undefined) return null;
  const folder = folderOf(found.path);
  const beside = entries.filter(
    (entry) => entry !== found && entry.path.startsWith(folder) && entry.content.size <= LARGEST,
  );
  const files = await Promise.all(
    beside.map(async ({ path, content }) => [path.slice(folder.length), await content.text()] as const),
  );
  return {
    title: found.path.slice(folder.length),
    text: await found.content.text(),
    format: formatOf(found.path),
    files: Object.fromEntries(files),
  };
};

/** A text that somebody has brought; `project`: the lab that is to become it, null: that of its name. */
export interface Offered {
  readonly lab: LabText;
  readonly projectId: string | null;
}

/** What is asked about now. */
export const offered = createStore<Offered | null>(null);

/** Shows what a text would do, and asks whether it is to. */
export const offerLabText = (lab: LabText, projectId: string | null): void => offered.set({ lab, projectId });

const bodyOf = ({ lab: { text, format, files }, projectId }: Offered): Body => ({
  ...{ text, format, files: { ...files } },
  ...(projectId === null ? {} : { project_id: projectId }),
});

export const planOf = (client: Client, wish: Offered): Promise<Plan> =>
  client.post('/v2/labs/plan', { body: bodyOf(wish) });

export const applyLab = (client: Client, wish: Offered): Promise<Schemas['LabApplied']> =>
  client.post('/v2/labs/apply', { body: bodyOf(wish) });

const ENDINGS: Readonly<Record<Format, string>> = { yaml: 'lab.yaml', containerlab: 'clab.yml' };

/** A lab as a text that makes it again, with the name of its file. Throws what the server says. */
export const readLabText = async (
  client: Client,
  { projectId, name, format }: { projectId: string; name: string; format: Format },
): Promise<{ readonly content: Blob; readonly fileName: string }> => {
  const answer = await client.fetch(`/v2/projects/${projectId}/lab?as=${format}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error((JSON.parse(text) as { message?: string }).message ?? text);
  return { content: new Blob([text], { type: 'application/yaml' }), fileName: `${name}.${ENDINGS[format]}` };
};
