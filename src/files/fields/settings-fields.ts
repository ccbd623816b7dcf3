import { besideFiles, keysOf, knownInFiles } from '../../model/derive.ts';
import { STORED_PROJECT, type ProjectSettings } from '../../model/project.ts';
import { type Fields, readersOf } from './field-table.ts';

type Settings = { [K in Exclude<keyof ProjectSettings, 'name'>]: ProjectSettings[K] | undefined };

/** Every setting but the name, which is required. Absent and null are left to the caller's default. */
export const SETTINGS_FIELDS = Object.fromEntries(
  Object.entries(readersOf(STORED_PROJECT)).map(([key, reader]) => [key, { ...reader, fallback: undefined }]),
) as Fields<Settings>;

export const SETTINGS_KEYS = ['name', ...Object.keys(SETTINGS_FIELDS)] as readonly (keyof ProjectSettings)[];

/** Settings in the file beside the project file. */
export const OWN_SETTINGS: readonly string[] = keysOf(besideFiles(STORED_PROJECT));

/** Settings, except flags, that are taken over with a lab from elsewhere, as they are independent of the machine. */
export const OWN_LISTS: readonly string[] = Object.entries(besideFiles(STORED_PROJECT))
  .filter(([, { ofMachine, initial }]) => ofMachine !== true && typeof initial !== 'boolean')
  .map(([key]) => key);

/** Settings in every project file, except the name. */
export const FILE_SETTINGS: readonly string[] = keysOf(knownInFiles(STORED_PROJECT));

/** Top-level keys of the file that are not settings. */
export const HEADER_KEYS = ['project_id', 'revision', 'topology', 'type', 'version'];
