import type { TemplateFields } from '../../events/server-fields.ts';
import type { NodeRecord, TemplateRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';

/** What is absent stays (update) or gets the default of its kind (create). */
export interface TemplateChanges extends Partial<Omit<TemplateFields, 'template_id' | 'kind' | 'compute_id'>> {
  /** As clients send them, checked by the kind's schema. Merged into what the template has. */
  settings?: Record<string, unknown>;
}

export interface TemplateInput extends TemplateChanges {
  template_id?: string;
  /** Neutral token. */
  kind: string;
  name: string;
  compute_id?: string | null;
}

/** Where a node of a template goes. `name`: in place of one by the template's format. */
export interface NodePlace {
  x: number;
  y: number;
  name?: string;
  compute_id?: string;
}

export interface TemplateCommands {
  createTemplate(caller: Caller, input: TemplateInput): Promise<TemplateRecord>;
  updateTemplate(caller: Caller, templateId: string, changes: TemplateChanges): Promise<TemplateRecord>;
  deleteTemplate(caller: Caller, templateId: string): Promise<void>;
  /** Under a name of its own. */
  duplicateTemplate(caller: Caller, templateId: string): Promise<TemplateRecord>;
  createNodeFromTemplate(caller: Caller, projectId: string, templateId: string, place: NodePlace): Promise<NodeRecord>;
}
