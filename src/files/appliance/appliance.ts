import type { Kind } from '../../emulators/kit/contract.ts';
import type { ImageFile } from '../images.ts';

/** An appliance as people are told of it, and what they need for a template of it. */
export interface Appliance {
  name: string;
  vendor: string | null;
  description: string | null;
  status: string | null;
  registry_version: number;
  documentation_url: string | null;
  product_url: string | null;
  usage: string | null;
  /** Of a file that names none, the one that there is; it has no name then. */
  versions: VersionOfAppliance[];
}

export interface VersionOfAppliance {
  name: string | null;
  /** Neutral token. */
  kind: string;
  images: FoundImage[];
  /** Fields of a template; null: none can be made, and the problems say why. */
  template: { name: string; category: string; symbol: string | null; settings: Record<string, unknown> } | null;
  problems: Problem[];
}

/** What is there already. */
export interface Here {
  kinds: { get(name: string): Kind | undefined; all(): readonly Kind[] };
  images(kind: Kind): readonly ImageFile[];
  hasSymbol(id: string): boolean;
}

/** An image that a version needs. */
export interface FoundImage {
  slot: string;
  filename: string;
  md5sum: string | null;
  filesize: number | null;
  /** Of the packed file: how. Sum and size are those of what is in it. */
  compression: string | null;
  download_url: string | null;
  direct_download_url: string | null;
  /** Name of the file among the images of the kind; null: it is missing. */
  found: string | null;
  /** Sum of a file of this name that is another one. */
  other_md5sum: string | null;
}

/** What of the file cannot be used, and why. */
export interface Problem {
  field: string;
  message: string;
}

/** What stands for a template in the file. */
export interface Section {
  /** Absent: it has no name. */
  name?: string | undefined;
  kind: Kind;
  properties: Record<string, unknown>;
}
