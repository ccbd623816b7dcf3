import { z } from 'zod';
import type { Texts } from '../common/forms/property-text.ts';
import { textsOf } from './derive.ts';
import { field, ofType, type Values } from './field.ts';
import { anyBag, bag, filters } from './types.ts';

/** Settings of a link. A field that is added here has history, project files, a form and undo. */
export const LINK = {
  suspend: field(z.boolean(), false, { text: { title: 'Suspended', help: 'Nothing passes.' } }),
  filters: field(
    filters,
    {},
    {
      inFile: ofType(filters, 'an object of filter names, each with a list of numbers or texts'),
      text: {
        title: 'Filters',
        help: 'What happens to frames, in both directions; with > or < behind its name in one.',
        widget: 'none',
      },
    },
  ),
  link_style: field(
    bag,
    {},
    {
      stored: anyBag,
      visual: true,
      labKey: 'style',
      text: { title: 'Style', help: 'How the line looks; kept for clients that draw it.', widget: 'none' },
    },
  ),
};
export type LinkSettings = Values<typeof LINK>;

const { filters: _filters, ...inLab } = LINK;
/** Settings of a link in a lab text, without the filters, which have a form of their own there. */
export const LINK_IN_LAB = inLab;

/** Texts of the form of its record, in order. */
export const LINK_TEXTS: Texts = {
  ...textsOf(LINK),
  nodes: { title: 'Ends', help: 'Ports that it connects, with their labels.', widget: 'none' },
  link_id: { title: 'Link', help: 'Never changes.' },
  project_id: { title: 'Project', help: 'That it belongs to.' },
  link_type: { title: 'Type', help: 'Of both ports: Ethernet or serial.' },
  capturing: { title: 'Capturing', help: 'Its frames are written to a file.' },
  capture_file_name: { title: 'Capture file', help: 'What the last capture wrote.' },
  capture_file_path: { title: 'Path of the capture', help: 'Where that file is.' },
  capture_compute_id: { title: 'Compute of the capture', help: 'Machine that writes the file.' },
  unproved: { title: 'Not proved', help: 'Why it is not known whether frames pass since a compute was away.' },
};
