/** Groups of nodes on the map. */
export const groups = {
  'Add to {name}': 'Zu {name} hinzufügen',
  'Collapse group': 'Gruppe zuklappen',
  'Collapse {name}': '{name} zuklappen',
  'collapse or expand the group of the selected nodes': 'Gruppe der ausgewählten Knoten zu- oder aufklappen',
  'Edit group {name} …': 'Gruppe {name} bearbeiten …',
  'Expand group': 'Gruppe aufklappen',
  'Expand {name}': '{name} aufklappen',
  Group: 'Gruppieren',
  'Group {count}': 'Gruppe {count}',
  'Group {name}': 'Gruppe {name}',
  'Group {name}, {count, plural, one {# node} other {# nodes}}, {state}':
    'Gruppe {name}, {count, plural, one {# Knoten} other {# Knoten}}, {state}',
  'Group {name}, {count, plural, one {# node} other {# nodes}}, collapsed, {state}':
    'Gruppe {name}, {count, plural, one {# Knoten} other {# Knoten}}, zugeklappt, {state}',
  'Group …': 'Gruppieren …',
  'group the selected nodes; with Shift ungroup': 'ausgewählte Knoten gruppieren; mit Umschalt Gruppierung aufheben',
  'New group': 'Neue Gruppe',
  'Remove from {name}': 'Aus {name} entfernen',
  Ungroup: 'Gruppierung aufheben',
  failed: 'fehlgeschlagen',
} as const;
