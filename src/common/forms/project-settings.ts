import { z } from 'zod';
import { LENGTHS, MOST_ITEMS } from '../bounds.ts';
import { part } from './property-text.ts';
import { LARGEST_SEED } from './seed.ts';

const line = z.string().max(LENGTHS.line);
const word = z.string().max(LENGTHS.name);
const name = word.min(1);

const supplier = z
  .strictObject({ logo: part(line, 'Logo', 'Address of a picture.'), url: part(line, 'Address', 'Of the supplier.') })
  .nullable();
const variables = z
  .array(
    z.strictObject({
      name: part(word, 'Name', 'Of the variable.'),
      value: part(line.exactOptional(), 'Value', 'Of the variable.'),
    }),
  )
  .max(MOST_ITEMS)
  .nullable();

/** A folder, a tag: short, and told apart by what is seen. */
const label = line
  .min(1)
  .max(64)
  .refine((text) => text.trim() === text, 'must not begin or end with a space')
  .refine((text) => !/\p{Cc}/u.test(text), 'must be one line');
const folder = z.array(label).max(8);
const tags = z
  .array(label)
  .max(20)
  .refine((list) => new Set(list).size === list.length, 'must not have a tag twice');

/** Settings of a project but its name and its groups, as the interface and a lab's text take them. */
export const projectSettingsShape = {
  auto_close: z.boolean().exactOptional(),
  auto_open: z.boolean().exactOptional(),
  auto_start: z.boolean().exactOptional(),
  scene_width: z.int().exactOptional(),
  scene_height: z.int().exactOptional(),
  zoom: z.int().exactOptional(),
  grid_size: z.int().exactOptional(),
  drawing_grid_size: z.int().exactOptional(),
  show_grid: z.boolean().exactOptional(),
  show_interface_labels: z.boolean().exactOptional(),
  show_layers: z.boolean().exactOptional(),
  snap_to_grid: z.boolean().exactOptional(),
  record_consoles: z.boolean().exactOptional(),
  record_hidden_input: z.boolean().exactOptional(),
  default_compute: name.exactOptional(),
  on_takeover: z.enum(['leave', 'restart']).exactOptional(),
  seed: z.int().min(0).max(LARGEST_SEED).exactOptional(),
  folder: folder.exactOptional(),
  tags: tags.exactOptional(),
  supplier: supplier.exactOptional(),
  variables: variables.exactOptional(),
};
