import path from 'node:path';
import type { AsRead, ProjectFields } from '../../events/fields.ts';
import type { ParsedProject } from '../../files/read/parsed.ts';
import { DEFAULT_SETTINGS, type ProjectSettings } from '../../model/project.ts';
import { projectAsRead } from '../../files/write/as-read.ts';
import type { LabContext } from '../context.ts';
import type { LoadDefaults } from './interface.ts';

export const projectFields = (
  parsed: ParsedProject,
  file: string,
  sha256: string,
  unsaid: LoadDefaults,
): ProjectFields => {
  const fields = {
    ...DEFAULT_SETTINGS,
    ...unsaid,
    ...parsed.settings,
    project_id: parsed.project_id,
    path: path.dirname(file),
    filename: path.basename(file),
    file_sha256: sha256,
    extra: parsed.extra,
  };
  return parsed.given === null ? fields : withDifferences(fields, projectAsRead(parsed.given, fields));
};

/** `as_read`: where a project file has something else than what would be written. */
export const withDifferences = <T extends object>(fields: T, as_read: AsRead[]): T & { as_read?: AsRead[] } =>
  as_read.length === 0 ? fields : { ...fields, as_read };

type Variables = Partial<Pick<ProjectSettings, 'variables'>>;

/** Secrets among the variables of a project stay what they are, also where they are sent back as they are shown. */
export const knownVariables = (
  { secrets }: Pick<LabContext, 'secrets'>,
  id: string,
  { variables }: Variables,
  before: Variables = {},
): Variables => (variables === undefined ? {} : { variables: secrets.known(id, variables, before.variables) });
