import type { Schemas } from 'topolog/client';
import { told } from '../../words/words.ts';

export type Template = Schemas['Template'];
type Category = Template['category'];

export interface Shelf {
  readonly what: Category | 'recent';
  readonly templates: readonly Template[];
}

/** In the order in which they are offered. */
const CATEGORIES: readonly Category[] = ['guest', 'switch', 'router', 'firewall'];
const MOST_RECENT = 4;
/** With fewer templates all are seen at once. */
const MANY = 8;

/** The server names those that are built in; the others have the names that people gave them. */
export const shownName = ({ builtin, name }: Pick<Template, 'builtin' | 'name'>): string =>
  builtin ? told(name) : name;

export const byShownName = (a: Template, b: Template): number =>
  shownName(a).localeCompare(shownName(b), undefined, { numeric: true });

/** Templates by category, those that were used last before them; only those with what is sought in their names. */
export const shelvesOf = (templates: readonly Template[], sought: string, recent: readonly string[]): Shelf[] => {
  const words = sought.trim().toLowerCase().split(/\s+/);
  const found = templates
    .filter((one) =>
      words.every((word) => `${shownName(one)} ${one.name} ${one.category}`.toLowerCase().includes(word)),
    )
    .sort(byShownName);
  const known = new Map(found.map((template) => [template.template_id, template]));
  const used = recent.map((id) => known.get(id)).filter((one) => one !== undefined);
  const isShort = templates.length < MANY || sought.trim() !== '';
  return [
    { what: 'recent' as const, templates: isShort ? [] : used.slice(0, MOST_RECENT) },
    ...CATEGORIES.map((what) => ({ what, templates: found.filter(({ category }) => category === what) })),
  ].filter(({ templates: some }) => some.length > 0);
};

const KEY = 'topolog.templates';

/** Names of the templates that were used last in this browser, the newest first. */
export const recentTemplates = (storage: Pick<Storage, 'getItem'>): string[] => {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
};

export const rememberTemplate = (storage: Pick<Storage, 'getItem' | 'setItem'>, id: string): string[] => {
  const kept = [id, ...recentTemplates(storage).filter((one) => one !== id)].slice(0, 2 * MOST_RECENT);
  storage.setItem(KEY, JSON.stringify(kept));
  return kept;
};

/** Type of the data that a drag of a template carries. */
export const TEMPLATE_TYPE = 'application/x-topolog-template';
