import { z } from 'zod';
import { LENGTHS, MOST, MOST_ITEMS } from '../../../common/bounds.ts';
import { checkEntry, stageForm } from '../../../common/forms/check.ts';
import { writtenFilters } from '../../../common/forms/filters.ts';
import { isOneLine, ONE_LINE } from '../../../common/forms/one-line.ts';
import { JSON_RULES, part } from '../../../common/forms/property-text.ts';
import { weatherForm } from '../../../common/forms/weather.ts';
import { customAdapters } from '../../../emulators/kit/fields.ts';
import { labShape } from '../../../model/derive.ts';
import { LINK_IN_LAB } from '../../../model/link.ts';
import { PROJECT_IN_LAB } from '../../../model/project.ts';

/** Form of `lab.yaml` (YAML 1.2), with descriptions for editors; its JSON Schema is made of it (schema.ts). */

const name = z
  .string()
  .min(1, 'must not be empty')
  .max(LENGTHS.name)
  .refine(isOneLine, ONE_LINE)
  .register(JSON_RULES, { pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$` });
const line = z.string().max(LENGTHS.line);
const content = z.string().max(LENGTHS.content);
const whole = z.int();

const fileText = z.strictObject({
  file: part(line.min(1), 'File', 'Name of a text file, from where the lab text is.'),
});
/** Inline, or in a file beside the lab text. */
const text = z.union([content, fileText], 'must be a text, or {file: NAME}');
export type Text = z.infer<typeof text>;

const place = z.tuple([whole, whole], 'must be [x, y], whole numbers');

/** A single value counts as a list of one. */
const oneOrMore = <S extends z.ZodType>(schema: S, must: string) =>
  z.union([schema, z.array(schema).max(MOST_ITEMS)], must);

const address = z.union([z.cidrv4(), z.cidrv6()], 'must be an address with its prefix, such as 10.0.0.1/24');
const router = z.union([z.ipv4(), z.ipv6()], 'must be an address without a prefix');

const nodeShape = {
  kind: part(name.exactOptional(), 'Kind', 'What it is; this, or a template.'),
  template: part(name.exactOptional(), 'Template', 'Name or id of the template that it is made from.'),
  was: part(name.exactOptional(), 'Was', 'Its name so far: it is renamed, and no other node.'),
  compute: part(name.exactOptional(), 'Compute', 'Name or id of the compute that runs it; auto: the best one.'),
  at: part(place.exactOptional(), 'Place', 'Where it is on the map: [x, y]. Absent: a tidy place for a new node.'),
  z: part(whole.exactOptional(), 'Layer', 'Layer of the map.'),
  symbol: part(line.exactOptional(), 'Symbol', 'Its picture.'),
  locked: part(z.boolean().exactOptional(), 'Locked', 'It cannot be moved or deleted.'),
  console_type: part(name.exactOptional(), 'Console type', 'One of those of its kind.'),
  console_auto_start: part(z.boolean().exactOptional(), 'Open console', 'Its console opens when it starts.'),
  port_name_format: part(name.exactOptional(), 'Port name format', 'Such as Ethernet{0}.'),
  port_segment_size: part(z.int().nonnegative().exactOptional(), 'Port segment size', 'Ports of a segment.'),
  first_port_name: part(name.exactOptional(), 'First port name', 'Name of the first port, apart from the format.'),
  custom_adapters: part(customAdapters.exactOptional(), 'Custom adapters', 'Adapters with settings of their own.'),
  address: part(
    oneOrMore(address, 'must be an address with its prefix, such as 10.0.0.1/24, or a list of such').exactOptional(),
    'Address',
    'Of a kind that takes addresses in its start-up text, such as 10.0.0.1/24.',
  ),
  gateway: part(
    oneOrMore(router, 'must be an address without a prefix, or a list of one of each family').exactOptional(),
    'Gateway',
    'Its default router, or one of each family; belongs to the first address of the same family.',
  ),
  startup: part(text.exactOptional(), 'Start-up text', 'What it reads at its start: a script or a configuration.'),
  properties: part(
    z.record(z.string(), z.unknown()).exactOptional(),
    'Properties',
    'Settings of its kind. A long text can be {file: NAME}. What is not said stays as it is.',
  ),
  files: part(
    z.record(line.min(1), text).exactOptional(),
    'Files',
    'Files of the node, by their names below its directory.',
  ),
};

const hasSort = ({ kind, template }: { kind?: string; template?: string }): boolean =>
  (kind === undefined) !== (template === undefined);
export const nodeForm = z
  .strictObject(nodeShape)
  .refine(hasSort, 'must have either kind or template')
  .register(JSON_RULES, {
    oneOf: [{ required: ['kind'] }, { required: ['template'] }],
    dependentRequired: { gateway: ['address'] },
  });
export type NodeForm = z.infer<typeof nodeForm>;

const end = z
  .string()
  .min(1, 'must be NODE or NODE:PORT')
  .max(2 * LENGTHS.name);
const ends = z.tuple([end, end], 'must be the two ends, such as [PC1:0, SW1:3]');
export const linkForm = z.union(
  [
    ends,
    z.strictObject({
      ends: part(ends, 'Ends', 'The two ends, each NODE:PORT; PORT is a name, adapter/port, or a place from 0.'),
      filters: part(
        writtenFilters.exactOptional(),
        'Filters',
        'By name, such as delay: [50, 5]. delay> acts from the first end to the second alone, delay< back.',
      ),
      ...labShape(LINK_IN_LAB),
    }),
  ],
  'must be [NODE:PORT, NODE:PORT], or {ends: [NODE:PORT, NODE:PORT], filters: {...}}',
);
export type LinkForm = z.infer<typeof linkForm>;

const drawing = z.strictObject({
  svg: part(z.union([z.string().max(LENGTHS.svg), fileText], 'must be an SVG, or {file: NAME}'), 'SVG', 'The picture.'),
  at: part(place.exactOptional(), 'Place', '[x, y]; [0, 0] if absent.'),
  z: part(whole.exactOptional(), 'Layer', 'Layer of the map; 2 if absent.'),
  rotation: part(z.int().min(-359).max(360).exactOptional(), 'Rotation', '0 if absent.', 'degrees'),
  locked: part(z.boolean().exactOptional(), 'Locked', 'It cannot be moved or deleted.'),
});
export type DrawingForm = z.infer<typeof drawing>;

const settings = z.strictObject(labShape(PROJECT_IN_LAB));

export const labForm = z.strictObject({
  lab: part(name, 'Lab', 'Its name.'),
  version: part(z.literal(1, 'must be 1'), 'Version', 'Of this format: 1.'),
  settings: part(settings.exactOptional(), 'Settings', 'Of the project. What is not said stays as it is.'),
  nodes: part(z.record(name, nodeForm).exactOptional(), 'Nodes', 'By name. Nodes that are not said are removed.'),
  links: part(z.array(linkForm).max(MOST.link).exactOptional(), 'Links', 'Links that are not said are removed.'),
  drawings: part(
    z.array(drawing).max(MOST.drawing).exactOptional(),
    'Drawings',
    'Absent: those that are there stay; else these and no others.',
  ),
  checks: part(
    z.array(checkEntry).max(MOST_ITEMS).exactOptional(),
    'Checks',
    'What must hold. Absent: those that are there stay.',
  ),
  weather: part(
    z.array(weatherForm).max(MOST_ITEMS).exactOptional(),
    'Weather',
    'What happens, and when. Absent: what is there stays.',
  ),
  stages: part(z.array(stageForm).max(MOST_ITEMS).exactOptional(), 'Stages', 'Of a lab that somebody is taught with.'),
});
export type LabForm = z.infer<typeof labForm>;

/** Checks alone, for a lab whose own text has no place for them. */
export const checksForm = labForm.pick({ checks: true });
