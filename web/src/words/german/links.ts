/** Links: traffic, filters, captures. */
export const links = {
  'Remove all': 'Alle entfernen',
  'Show how busy links are': 'Auslastung der Links zeigen',
} as const;
