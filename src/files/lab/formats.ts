import { writeHosts, writeInventory } from './containerlab/inventory.ts';
import { filesNamedInContainerlab, readContainerlab } from './containerlab/read.ts';
import { writeContainerlab } from './containerlab/write.ts';
import type { LabFormat } from './model.ts';
import { filesNamedIn, readLabText } from './yaml/read.ts';
import { writeLabText } from './yaml/write.ts';

/** Formats of lab texts, by the name that clients use. */
export const LAB_FORMATS = {
  yaml: {
    read: readLabText,
    write: writeLabText,
    filesNamed: filesNamedIn,
    isNamed: (file) => /\.ya?ml$/.test(file) && !/\.clab\./.test(file),
  },
  containerlab: {
    read: readContainerlab,
    write: writeContainerlab,
    filesNamed: filesNamedInContainerlab,
    isNamed: (file) => /\.clab\.ya?ml$/.test(file),
  },
} as const satisfies Record<string, LabFormat>;

export type LabFormatName = keyof typeof LAB_FORMATS;
export const LAB_FORMAT_NAMES = Object.keys(LAB_FORMATS) as [LabFormatName, ...LabFormatName[]];

/** Texts that are made of a lab, by the name that clients use: its formats, and lists of its nodes for other programs. */
export const LAB_WRITERS = {
  ...(Object.fromEntries(LAB_FORMAT_NAMES.map((name) => [name, LAB_FORMATS[name].write])) as Record<
    LabFormatName,
    LabFormat['write']
  >),
  ansible: writeInventory,
  hosts: writeHosts,
} satisfies Record<string, LabFormat['write']>;

export type LabWriterName = keyof typeof LAB_WRITERS;
export const LAB_WRITER_NAMES = Object.keys(LAB_WRITERS) as [LabWriterName, ...LabWriterName[]];
