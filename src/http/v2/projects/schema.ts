import { z } from 'zod';
import { MOST, MOST_ITEMS } from '../../../common/bounds.ts';
import { checkRecord } from '../../../common/forms/check.ts';
import { stageForm } from '../../../common/forms/stage.ts';
import { part, toldShape } from '../../../common/forms/property-text.ts';
import { projectSettingsShape } from '../../../common/forms/project-settings.ts';
import { PROJECT_TEXTS } from '../texts.ts';
import { filledLine, input, name, uuid, withoutNulls } from '../schema.ts';

const group = z.strictObject({
  group_id: part(uuid, 'Group', 'Never changes.'),
  name: part(
    name.refine((text) => text.trim() !== '', 'must not be empty'),
    'Name',
    'Of the group.',
  ),
  color: part(z.string().regex(/^#[\da-f]{6}$/i, 'must be a colour such as #0072b2'), 'Colour', 'Of its frame.'),
  collapsed: part(z.boolean(), 'Collapsed', 'One symbol stands for its nodes.'),
  nodes: part(z.array(uuid).max(MOST.node), 'Nodes', 'That are in it.'),
});
const isOnce = (ids: readonly string[]): boolean => new Set(ids).size === ids.length;
const groups = z
  .array(group)
  .max(MOST_ITEMS)
  .refine((list) => isOnce(list.map(({ group_id }) => group_id)), 'must not have a group twice')
  .refine((list) => isOnce(list.flatMap(({ nodes }) => nodes)), 'must not have a node twice');

const checkList = z
  .array(checkRecord)
  .max(MOST_ITEMS)
  .refine((list) => isOnce(list.map(({ check_id }) => check_id)), 'must not have a check twice');
const stageList = z
  .array(stageForm)
  .max(MOST_ITEMS)
  .refine((list) => isOnce(list.map(({ name: called }) => called)), 'must not have a stage twice');

const settings = toldShape(
  {
    ...projectSettingsShape,
    groups: groups.exactOptional(),
    checks: checkList.exactOptional(),
    stages: stageList.exactOptional(),
  },
  PROJECT_TEXTS,
);

export const projectSettingKeys = Object.keys(settings);

const named = toldShape({ name }, PROJECT_TEXTS);

export const projectCreate = input(
  { ...named, project_id: uuid.exactOptional(), path: filledLine.exactOptional(), ...settings },
  ['status', 'filename'],
  { before: (body) => withoutNulls(body, ['project_id', 'path']) },
);

export const projectUpdate = input(
  { ...toldShape({ name: name.exactOptional() }, PROJECT_TEXTS), ...settings },
  ['project_id', 'path', 'filename', 'status'],
  { before: (body) => withoutNulls(body, ['name']) },
);

export const projectLoad = z.strictObject({ path: filledLine });
/** `new_id=true`: as a project of its own, beside the one that has the project_id of the file. */
export const loadQuery = z.object({
  new_id: z
    .enum(['true', 'false'], 'must be true or false')
    .transform((word) => word === 'true')
    .exactOptional(),
});

export const projectRecord = z.strictObject(
  toldShape(
    {
      project_id: z.string(),
      name: z.string().nullable(),
      filename: z.string().nullable(),
      path: z.string().nullable(),
      status: z.enum(['opened', 'closed']),
      auto_close: z.boolean(),
      auto_open: z.boolean(),
      auto_start: z.boolean(),
      scene_width: z.number(),
      scene_height: z.number(),
      zoom: z.number(),
      grid_size: z.number(),
      drawing_grid_size: z.number(),
      show_grid: z.boolean(),
      show_interface_labels: z.boolean(),
      show_layers: z.boolean(),
      snap_to_grid: z.boolean(),
      record_consoles: z.boolean(),
      record_hidden_input: z.boolean(),
      default_compute: z.string(),
      /** Not under the names gns3, as the four after it. */
      on_takeover: z.enum(['leave', 'restart']).exactOptional(),
      folder: z.array(z.string()).exactOptional(),
      tags: z.array(z.string()).exactOptional(),
      groups: z.array(group).exactOptional(),
      seed: z.int().exactOptional(),
      checks: z.array(checkRecord).exactOptional(),
      stages: z.array(stageForm).exactOptional(),
      supplier: z.object({ logo: z.string(), url: z.string() }).nullable(),
      variables: z.array(z.object({ name: z.string(), value: z.string().optional() })).nullable(),
    },
    PROJECT_TEXTS,
  ),
);

/** What a list of projects shows of each. */
export const projectOverview = z.strictObject({
  project_id: z.string(),
  nodes: z.int(),
  running: z.int().meta({ description: 'Nodes that are started' }),
  busy: z
    .int()
    .meta({ description: 'Nodes that keep the project from being copied: those that run, and do not always run' }),
  failed: z.int().meta({ description: 'Nodes whose last start failed' }),
  unreachable: z.int().meta({ description: 'Nodes whose compute is away' }),
  links: z.int(),
  changed_at: z.string().nullable().meta({ description: 'When the last event of the project happened, ISO time' }),
  viewers: z.array(z.string()).meta({ description: 'Names of those who look at it, each once' }),
  forked_from: z.string().nullable().meta({ description: 'project_id of what it is a fork of; null: of none' }),
});

export const projectStats = z.strictObject({
  nodes: z.int(),
  links: z.int(),
  drawings: z.int(),
  snapshots: z.int(),
});

/** What the compute group knows of a project. */
export const computeProject = z.strictObject({
  project_id: z.string(),
  name: z.string(),
  variables: projectRecord.shape.variables,
});
