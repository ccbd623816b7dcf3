/** What several rooms say. */
export const common = {
  Cancel: 'Abbrechen',
  Close: 'Schließen',
  Computes: 'Rechner',
  Dismiss: 'Ausblenden',
  Download: 'Herunterladen',
  Fork: 'Abzweigen',
  'Loading …': 'Wird geladen …',
  Name: 'Name',
  Project: 'Projekt',
  Save: 'Speichern',
  Settings: 'Einstellungen',
  'The fork begins as the lab was at a moment, and goes its own way.':
    'Der Abzweig beginnt so, wie das Lab zu einem Zeitpunkt war, und geht seinen eigenen Weg.',
  'Fork {name}': '{name} abzweigen',
  '{name} fork': '{name} Abzweig',
  anonymous: 'anonym',
  started: 'läuft',
  stopped: 'gestoppt',
  suspended: 'angehalten',
  unreachable: 'nicht erreichbar',
} as const;
