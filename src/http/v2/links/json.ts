import type { LinkRecord } from '../../../projections/records.ts';

/** `computeId`: where captures are written. */
export const linkToJson = (l: LinkRecord, computeId: string) => ({
  link_id: l.link_id,
  project_id: l.project_id,
  link_type: l.link_type,
  nodes: l.nodes.map(({ node_id, adapter_number, port_number, label }) => ({
    node_id,
    adapter_number,
    port_number,
    label,
  })),
  suspend: l.suspend,
  filters: l.filters,
  link_style: l.link_style,
  capturing: isCapturing(l),
  capture_file_name: l.capture?.file_name ?? null,
  capture_file_path: l.capture?.path ?? null,
  capture_compute_id: l.capture ? computeId : null,
});

/** Frames reach the file until the stop is through. */
export const isCapturing = (l: LinkRecord): boolean => l.state === 'capturing' || l.state === 'capture_stopping';
