import { z } from 'zod';
import { withTexts } from '../../../common/forms/property-text.ts';
import { answerShape, keysOf, requestShape } from '../../../model/derive.ts';
import { PROJECT, PROJECT_TEXTS } from '../../../model/project.ts';
import { filledLine, input, name, uuid, withoutNulls } from '../schema.ts';

const settings = requestShape(PROJECT, PROJECT_TEXTS);

export const projectSettingKeys = keysOf(PROJECT);

const named = withTexts({ name }, PROJECT_TEXTS);

export const projectCreate = input(
  { ...named, project_id: uuid.exactOptional(), path: filledLine.exactOptional(), ...settings },
  ['status', 'filename'],
  { before: (body) => withoutNulls(body, ['project_id', 'path']) },
);

export const projectUpdate = input(
  { ...withTexts({ name: name.exactOptional() }, PROJECT_TEXTS), ...settings },
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
  withTexts(
    {
      project_id: z.string(),
      name: z.string().nullable(),
      filename: z.string().nullable(),
      path: z.string().nullable(),
      status: z.enum(['opened', 'closed']),
      ...answerShape(PROJECT),
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
