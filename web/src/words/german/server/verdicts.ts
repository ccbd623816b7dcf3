/** Findings of a check of the log. */
export const verdicts: Readonly<Record<string, string>> = {
  'it is damaged': 'es ist beschädigt',
  'it is lost, and no signed repair says so': 'es ging verloren, und keine unterschriebene Reparatur sagt das',
  'it is missing': 'es fehlt',
  'it is not of stream {name}': 'es gehört nicht zum Strom {name}',
  'it does not follow version {version} of stream {name}': 'es folgt nicht auf Version {version} des Stroms {name}',
  'the signature of the repair does not fit what it says':
    'die Unterschrift der Reparatur passt nicht zu dem, was sie sagt',
  'it cannot be folded: {reason}': 'es lässt sich nicht anwenden: {reason}',
  'it cannot be read: {reason}': 'es lässt sich nicht lesen: {reason}',
  'there are no events for it': 'es gibt keine Ereignisse dazu',
  'it is not what the events fold to': 'es ist nicht das, was die Ereignisse ergeben',
  'it is not what the events up to it fold to': 'es ist nicht das, was die Ereignisse bis dahin ergeben',
  'there is no such version of the stream': 'eine solche Version des Stroms gibt es nicht',
  'it is not the last event of its stream': 'es ist nicht das letzte Ereignis seines Stroms',
  'no event accounts for the entry': 'kein Ereignis erklärt den Eintrag',
  'the entry is missing or wrong': 'der Eintrag fehlt oder ist falsch',
  'the entry of the index is missing': 'der Eintrag im Index fehlt',
  'the event is missing': 'das Ereignis fehlt',
  'the event is missing; the next one is {position}': 'das Ereignis fehlt; das nächste ist {position}',
  'their number is missing': 'ihre Anzahl fehlt',
  '{count} of {total} are there, or some are older than the log':
    '{count} von {total} sind da, oder einige sind älter als das Log',
  'neither it nor all of its events are whole': 'weder das Projekt noch all seine Ereignisse sind vollständig',
  'the stored content does not fit its hash': 'der gespeicherte Inhalt passt nicht zu seinem Hash',
  'the stored content does not fit its checksum': 'der gespeicherte Inhalt passt nicht zu seiner Prüfsumme',
  'it is not what was written: it was changed by another program, or is damaged':
    'es ist nicht das, was geschrieben wurde: ein anderes Programm hat es geändert, oder es ist beschädigt',
  'position {position} does not follow version {version} of stream {name}, and nothing is missing: the log was changed, not damaged':
    'Position {position} folgt nicht auf Version {version} des Stroms {name}, und nichts fehlt: das Log wurde geändert, nicht beschädigt',
};
