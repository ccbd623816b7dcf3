/** What the server found when it looked at a check. */
export const findings: Readonly<Record<string, string>> = {
  '{from} reaches {to}': '{from} erreicht {to}',
  '{from} does not reach {to}: {reason}': '{from} erreicht {to} nicht: {reason}',
  'nobody can say whether {from} reaches {to}: {reason}': 'niemand kann sagen, ob {from} {to} erreicht: {reason}',
  'no answer': 'keine Antwort',
  'no answer to {line}': 'keine Antwort auf {line}',
  'no answer within {ms} ms': 'keine Antwort innerhalb von {ms} ms',
  'it is not in the lab any more': 'der Knoten ist nicht mehr im Lab',
  'the node is not in the lab any more': 'der Knoten ist nicht mehr im Lab',
  'the node that is to answer has no address': 'der Knoten, der antworten soll, hat keine Adresse',
  'its address is not known here; the check can have it in place of {name}':
    'seine Adresse ist hier nicht bekannt; die Prüfung kann sie statt {name} nennen',
  '{name} sends no probes by itself; a check of its console can type ping':
    '{name} sendet selbst keine Proben; eine Prüfung der Konsole kann ping eintippen',
  '{lost} of {sent} probes were lost between {from} and {to} ({percent} %)':
    '{lost} von {sent} Proben gingen zwischen {from} und {to} verloren ({percent} %)',
  'all is lost between {from} and {to}: {reason}': 'zwischen {from} und {to} geht alles verloren: {reason}',
  'nobody can say what is lost between {from} and {to}: {reason}':
    'niemand kann sagen, was zwischen {from} und {to} verloren geht: {reason}',
  'it cannot be told yet: {name} still runs its start-up text':
    'das lässt sich noch nicht sagen: {name} führt noch sein Startskript aus',
  'the console of {name} did not answer': 'die Konsole von {name} hat nicht geantwortet',
  'the console of {name} shows no result of {line}': 'die Konsole von {name} zeigt kein Ergebnis von {line}',
  'the console of {name} shows {text}': 'die Konsole von {name} zeigt {text}',
  'the console of {name} does not show {text}': 'die Konsole von {name} zeigt nicht {text}',
  '{name} is started': '{name} läuft',
  'no frame of {filter} has passed {link} so far': 'kein Rahmen von {filter} hat {link} bisher passiert',
  'frame {number} of {filter} passed {link}': 'Rahmen {number} von {filter} hat {link} passiert',
  'frame {number} from {from} of {filter} passed {link}': 'Rahmen {number} von {from} von {filter} hat {link} passiert',
  '{link} carries nothing': '{link} überträgt nichts',
  'it could not be looked at: {reason}': 'das ließ sich nicht prüfen: {reason}',
};
