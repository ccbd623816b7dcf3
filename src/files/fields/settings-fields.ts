import { z } from 'zod';
import { checkRecord } from '../../common/forms/check.ts';
import { stageForm } from '../../common/forms/stage.ts';
import { MOST, MOST_ITEMS } from '../../common/bounds.ts';
import { LARGEST_SEED } from '../../common/forms/seed.ts';
import type { NodeGroup, ProjectSettings } from '../../events/fields.ts';
import { weatherEntry } from '../../events/lab-fields.ts';
import { isUuid } from './identity.ts';
import * as f from './field-table.ts';
import { isBag } from './json.ts';

const MOST_LABELS = 20;

type Settings = { [K in Exclude<keyof ProjectSettings, 'name'>]: ProjectSettings[K] | undefined };

/** Absent and null leave the setting to the caller's default. */
const optional = <T>(field: f.Field<T>): f.Field<T | undefined> => ({ ...field, fallback: undefined });
const whole = optional(f.integer(0));
const flag = optional(f.flag(false));

const supplier: f.Field<ProjectSettings['supplier']> = {
  read(value) {
    if (!isBag(value) || !f.isLine(value.logo) || !f.isLine(value.url)) return undefined;
    return { logo: value.logo, url: value.url };
  },
  expected: 'an object with the texts logo and url',
  fallback: null,
};

const variables: f.Field<ProjectSettings['variables']> = {
  read(value) {
    if (!Array.isArray(value) || value.length > MOST_ITEMS) return undefined;
    const list = value.map(variable).filter((v) => v !== undefined);
    return list.length === value.length ? list : undefined;
  },
  expected: 'a list of objects with the text name and, if wanted, the text value',
  fallback: null,
};

const onTakeover: f.Field<ProjectSettings['on_takeover']> = {
  read: (value) => (value === 'leave' || value === 'restart' ? value : undefined),
  expected: 'leave or restart',
  fallback: 'leave',
};

const labels: f.Field<string[] | undefined> = {
  read: (value) => (Array.isArray(value) && value.length <= MOST_LABELS && value.every(f.isWord) ? value : undefined),
  expected: `a list of at most ${MOST_LABELS} texts`,
  fallback: undefined,
};

const COLOUR = /^#[\da-f]{6}$/i;

const group = (raw: unknown): NodeGroup | undefined => {
  if (!isBag(raw) || !isUuid(raw.group_id) || !f.isWord(raw.name) || raw.name === '') return undefined;
  const { group_id, name, color, collapsed, nodes } = raw;
  if (typeof color !== 'string' || !COLOUR.test(color) || typeof collapsed !== 'boolean') return undefined;
  if (!Array.isArray(nodes) || nodes.length > MOST.node || !nodes.every(isUuid)) return undefined;
  return { group_id, name, color, collapsed, nodes };
};

const groups: f.Field<NodeGroup[] | undefined> = {
  read(value) {
    if (!Array.isArray(value) || value.length > MOST_ITEMS) return undefined;
    const list = value.map(group).filter((one) => one !== undefined);
    const ids = [...list.map(({ group_id }) => group_id), ...list.flatMap(({ nodes }) => nodes)];
    return list.length === value.length && new Set(ids).size === ids.length ? list : undefined;
  },
  expected: 'a list of groups, each node in one of them at most',
  fallback: undefined,
};

/** Each as its form has it; one that cannot be read is a list that cannot. */
const formed = <T>(form: z.ZodType<T>, expected: string): f.Field<T[] | undefined> => {
  const list = z.array(form).max(MOST_ITEMS);
  return { read: (value) => list.safeParse(value).data, expected, fallback: undefined };
};

const variable = (raw: unknown): { name: string; value?: string } | undefined => {
  if (!isBag(raw) || !f.isWord(raw.name)) return undefined;
  const { name, value } = raw;
  if (value === undefined || value === null) return { name };
  return f.isLine(value) ? { name, value } : undefined;
};

/** Every setting but the name, which a project cannot do without. */
export const SETTINGS_FIELDS: f.Fields<Settings> = {
  auto_close: flag,
  auto_open: flag,
  auto_start: flag,
  scene_width: whole,
  scene_height: whole,
  zoom: whole,
  grid_size: whole,
  drawing_grid_size: whole,
  show_grid: flag,
  show_interface_labels: flag,
  show_layers: flag,
  snap_to_grid: flag,
  record_consoles: flag,
  record_hidden_input: flag,
  default_compute: optional(f.word('local')),
  on_takeover: optional(onTakeover),
  folder: labels,
  tags: labels,
  groups,
  checks: formed(checkRecord, 'a list of checks'),
  stages: formed(stageForm, 'a list of stages'),
  weather: formed(weatherEntry, 'a list of what happens to the lab, and when'),
  seed: optional(f.integer(0, 0, LARGEST_SEED)),
  supplier: optional(supplier),
  variables: optional(variables),
};

export const SETTINGS_KEYS = ['name', ...Object.keys(SETTINGS_FIELDS)] as readonly (keyof ProjectSettings)[];

/** Settings that only this server has: existing tools refuse a file with a key that they do not know. */
export const OWN_SETTINGS: readonly string[] = [
  'record_consoles',
  'record_hidden_input',
  'default_compute',
  'on_takeover',
  'folder',
  'tags',
  'groups',
  'checks',
  'stages',
  'weather',
  'seed',
];

/** Those of them that go along with a file, besides what is switched on: they say nothing about machines. */
export const OWN_LISTS: readonly string[] = ['folder', 'tags', 'groups', 'checks', 'stages', 'weather', 'seed'];

/** Settings that every file has, beside the name. */
export const FILE_SETTINGS = SETTINGS_KEYS.filter((key) => key !== 'name' && !OWN_SETTINGS.includes(key));

/** Top-level keys of the file that are not settings. */
export const HEADER_KEYS = ['project_id', 'revision', 'topology', 'type', 'version'];
