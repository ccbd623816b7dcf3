import type { TemplateRecord } from '../../../projections/records.ts';

/** `emit`: name of a kind as answers carry it. */
export const templateToJson = (t: TemplateRecord, emit: (token: string) => string) => ({
  ...t.settings,
  template_id: t.template_id,
  template_type: emit(t.kind),
  name: t.name,
  compute_id: t.compute_id,
  default_name_format: t.default_name_format,
  symbol: t.symbol,
  category: t.category,
  builtin: t.builtin,
});
