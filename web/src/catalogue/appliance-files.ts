import type { Client, Schemas } from 'topolog/client';
import { sentenceOf } from '../store/notices.ts';
import { createStore } from '../store/store.ts';
import { t } from '../words/words.ts';

export type Appliance = Schemas['Appliance'];
export type Version = Appliance['versions'][number];
export type NeededImage = Version['images'][number];

/** An appliance file that somebody has brought, and what the server read in it. */
export interface ApplianceFile {
  readonly id: number;
  readonly fileName: string;
  /** As it was sent; undefined: it is no JSON. */
  readonly content: unknown;
  readonly appliance: Appliance | null;
  readonly problem: string | null;
}

/** Kept while the page is there, whatever part of it is shown. */
export const applianceFiles = createStore<readonly ApplianceFile[]>([]);
let lastId = 0;

export const isAppliance = (fileName: string): boolean => /\.(?:gns3a|gns3appliance)$/i.test(fileName);

export const forget = (id: number): void => applianceFiles.update((now) => now.filter((one) => one.id !== id));

const readBy = async (client: Client, content: unknown): Promise<Pick<ApplianceFile, 'appliance' | 'problem'>> => {
  try {
    const appliance = await client.post('/v2/catalogue/appliances', { body: content as Record<string, unknown> });
    return { appliance, problem: null };
  } catch (error) {
    return { appliance: null, problem: sentenceOf(error) };
  }
};

/** Takes a file in, the newest first. */
export const addAppliance = async (client: Client, file: File): Promise<void> => {
  const base = { id: ++lastId, fileName: file.name, content: undefined as unknown };
  let one: ApplianceFile;
  try {
    const content: unknown = JSON.parse(await file.text());
    one = { ...base, content, ...(await readBy(client, content)) };
  } catch {
    one = { ...base, appliance: null, problem: t('This is no appliance file: it is not JSON.') };
  }
  applianceFiles.update((now) => [one, ...now.filter(({ fileName }) => fileName !== file.name)]);
};

/** Asks again which of their images are there. */
export const readAgain = async (client: Client): Promise<void> => {
  const read = await Promise.all(
    applianceFiles
      .get()
      .filter(({ appliance }) => appliance !== null)
      .map(async ({ id, content }) => [id, await readBy(client, content)] as const),
  );
  const news = new Map(read);
  applianceFiles.update((now) => now.map((one) => ({ ...one, ...news.get(one.id) })));
};

export const missingOf = ({ images }: Version): readonly NeededImage[] => images.filter(({ found }) => found === null);

/** Where a file belongs that has the name of a missing image. */
export const placeOf = (
  all: readonly ApplianceFile[],
  fileName: string,
): { readonly nodeType: string; readonly name: string } | null => {
  for (const { appliance } of all)
    for (const version of appliance?.versions ?? [])
      for (const { filename } of missingOf(version))
        if (filename === fileName || filename.endsWith(`/${fileName}`))
          return { nodeType: version.node_type, name: filename };
  return null;
};
