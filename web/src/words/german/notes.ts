/** The notes of a lab. */
export const notes = {
  '(deleted)': '(gelöscht)',
  'Changed by two': 'Von zweien geändert',
  Done: 'Fertig',
  'Keep both': 'Beides behalten',
  'Keep theirs': 'Fremdes behalten',
  'Keep yours': 'Eigenes behalten',
  'Not saved yet': 'Noch nicht gespeichert',
  Notes: 'Notizen',
  'Notes (N)': 'Notizen (N)',
  'Notes of the lab': 'Notizen des Labs',
  'notes of the lab': 'Notizen des Labs',
  'Notes as they are now: none of earlier moments are kept.':
    'Notizen, wie sie jetzt sind: Frühere Fassungen werden nicht aufbewahrt.',
  'Notes in Markdown': 'Notizen in Markdown',
  'Nothing is written here yet.': 'Hier steht noch nichts.',
  Preview: 'Vorschau',
  Saved: 'Gespeichert',
  'Saving …': 'Wird gespeichert …',
  'Say what the lab is for, and what is to be done in it. Everybody who opens the lab can read it here.':
    'Schreiben Sie, wozu das Lab da ist und was darin zu tun ist. Alle, die das Lab öffnen, können es hier lesen.',
  'Somebody else has changed the same lines meanwhile. Yours are not saved yet.':
    'Jemand anderes hat inzwischen dieselben Zeilen geändert. Ihre sind noch nicht gespeichert.',
  Theirs: 'Fremdes',
  Yours: 'Eigenes',
} as const;
