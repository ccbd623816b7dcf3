import path from 'node:path';
import { confined } from '../../common/confined.ts';
import { conflict, invalid } from '../../common/errors.ts';
import type { Capture, Port } from '../../events/fields.ts';
import type { NodeRecord, ProjectRecord } from '../../projections/records.ts';
import type { CaptureInput } from './interface.ts';

/** The file a capture asked for goes to. Names from clients are bare file names: nothing leaves the captures directory. */
export const captureFor = async (
  project: ProjectRecord,
  port: Port,
  input: CaptureInput,
  fallback: string,
): Promise<Capture> => {
  const wished = input.capture_file_name ?? fallback;
  if (wished !== path.basename(wished) || /[\\/\0]/.test(wished) || wished === '.' || wished === '..')
    throw invalid('capture_file_name must be a file name without directories', { field: 'capture_file_name' });
  const file_name = path.extname(wished) === '' ? `${wished}.pcap` : wished;
  const data_link_type = input.data_link_type ?? Object.values(port.data_link_types)[0] ?? 'DLT_EN10MB';
  const file = path.join(project.path, 'project-files', 'captures', file_name);
  // A link can have come with the project.
  if ((await confined(project.path, file)) === null)
    throw conflict(`${file} leads out of the project; remove the link`, { field: 'capture_file_name' });
  return { file_name, path: file, data_link_type };
};

/** `PC1_0-0_to_Switch1_0-3.pcap`, of letters, digits, _ and - only. */
export const captureName = (ends: { node: NodeRecord; adapter_number: number; port_number: number }[]): string =>
  `${ends
    .map((e) => `${e.node.name}_${e.adapter_number}-${e.port_number}`)
    .join('_to_')
    .replace(/[^0-9A-Za-z_-]/g, '')}.pcap`;
