import { knownInRecords, withInitial } from '../../../model/derive.ts';
import { LINK } from '../../../model/link.ts';
import type { LinkRecord } from '../../../projections/records.ts';

interface Options {
  /** Where captures are written. */
  compute_id: string;
  /** Without what existing clients do not know. */
  gns3Compat: boolean;
}

export const linkToJson = (l: LinkRecord, { compute_id: computeId, gns3Compat }: Options) => ({
  link_id: l.link_id,
  project_id: l.project_id,
  link_type: l.link_type,
  nodes: l.nodes.map(({ node_id, adapter_number, port_number, label }) => ({
    node_id,
    adapter_number,
    port_number,
    label,
  })),
  ...withInitial(gns3Compat ? knownInRecords(LINK) : LINK, l),
  capturing: isCapturing(l),
  capture_file_name: l.capture?.file_name ?? null,
  capture_file_path: l.capture?.path ?? null,
  capture_compute_id: l.capture ? computeId : null,
  ...(l.unproved === undefined || gns3Compat ? {} : { unproved: l.unproved }),
});

/** Frames reach the file until the stop is through. */
export const isCapturing = (l: LinkRecord): boolean => l.state === 'capturing' || l.state === 'capture_stopping';
