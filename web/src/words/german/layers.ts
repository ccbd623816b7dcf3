/** Layers of the map. */
export const layers = {
  'Hide layer {z}': 'Ebene {z} ausblenden',
  'Layer {z}': 'Ebene {z}',
  'layers: show, hide, lock, raise, lower them': 'Ebenen: einblenden, ausblenden, sperren, nach vorn und nach hinten',
  'Layers (Z)': 'Ebenen (Z)',
  'Lock layer {z}': 'Ebene {z} sperren',
  'Lower layer {z}': 'Ebene {z} nach hinten',
  'Raise layer {z}': 'Ebene {z} nach vorn',
  'Select all of layer {z}': 'Alles auf Ebene {z} auswählen',
  'Show all': 'Alle zeigen',
  'Show layer {z}': 'Ebene {z} einblenden',
  'Unlock layer {z}': 'Ebene {z} entsperren',
  '{count, plural, one {# layer is hidden} other {# layers are hidden}}':
    '{count, plural, one {# Ebene ist} other {# Ebenen sind}} ausgeblendet',
} as const;
