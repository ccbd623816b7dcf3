/** What the server says of the fields of a check, by its OpenAPI document. */
export const schemaChecks: Readonly<Record<string, string>> = {
  Before: 'Vor',
  During: 'Während',
  Every: 'Alle',
  Filter: 'Filter',
  First: 'Zuerst',
  From: 'Von',
  Is: 'Ist',
  Matches: 'Passt auf',
  Not: 'Nicht',
  Of: 'Gezählt',
  Over: 'Über',
  Points: 'Punkte',
  Probes: 'Proben',
  Run: 'Befehl',
  Shows: 'Zeigt',
  Timeout: 'Höchstens',
  To: 'Nach',
  Type: 'Eingabe',
  Under: 'Unter',
  Within: 'Innerhalb',
  'A line that is typed for each look. Absent: what the console shows by itself.':
    'Eine Zeile, die für jede Prüfung eingegeben wird. Fehlt sie: was die Konsole von selbst zeigt.',
  'Command line of the shell of the machine that the server runs on. It holds if it ends with 0.':
    'Befehlszeile der Shell der Maschine, auf der der Server läuft. Erfüllt, wenn sie mit 0 endet.',
  'How long it is looked at, from the first time; as long as the lab runs if absent.':
    'Wie lange geprüft wird, vom ersten Mal an; fehlt es: solange das Lab läuft.',
  'It must not be reached.': 'Er darf nicht erreicht werden.',
  'It must not be there.': 'Es darf nicht da sein.',
  'Its name or node_id.': 'Sein Name oder seine node_id.',
  'Less than this, since the start of the lab.': 'Weniger als das, seit dem Start des Labs.',
  'Longest time that it may take; 10 s if absent.': 'Längste Zeit, die er dauern darf; fehlt sie: 10 s.',
  'More than this, since the start of the lab.': 'Mehr als das, seit dem Start des Labs.',
  'Node that asks: its name or node_id.': 'Knoten, der fragt: sein Name oder seine node_id.',
  'Node that is to answer, by name or node_id, or an address.':
    'Knoten, der antworten soll, mit Namen oder node_id, oder eine Adresse.',
  'On which frames are looked at.': 'Auf welchem die Rahmen angesehen werden.',
  'Only what this node sends: its name or node_id.': 'Nur was dieser Knoten sendet: sein Name oder seine node_id.',
  'Regular expression that must match what follows; ^ and $ are those of a line.':
    'Regulärer Ausdruck, der auf das Folgende passen muss; ^ und $ sind die einer Zeile.',
  'Sent for each look, 10 ms apart; 100 if absent.': 'Für jede Prüfung gesendet, im Abstand von 10 ms; fehlt es: 100.',
  'Share of probes that may be lost, less than this.': 'Anteil der Proben, der verloren gehen darf, weniger als das.',
  'State that it must have.': 'Zustand, den er haben muss.',
  'Text that must be in what follows.': 'Text, der im Folgenden vorkommen muss.',
  'Time from one look to the next; 1 s if absent.': 'Zeit von einer Prüfung zur nächsten; fehlt sie: 1 s.',
  'Time from the start of the lab before which it must hold once.':
    'Zeit vom Start des Labs an, vor der es einmal gelten muss.',
  'Time from the start of the lab until which it need not hold yet.':
    'Zeit vom Start des Labs an, bis zu der es noch nicht gelten muss.',
  'Weather of this name, while it lasts.': 'Wetter dieses Namens, solange es dauert.',
  'What is counted, both directions together.': 'Was gezählt wird, beide Richtungen zusammen.',
  'What it counts in a stage; 1 if absent.': 'Was sie in einer Stufe zählt; fehlt es: 1.',
  'What people call it.': 'Wie man sie nennt.',
  'When it is looked at first, from the start of the lab; at once if absent.':
    'Wann zuerst geprüft wird, vom Start des Labs an; fehlt es: sofort.',
  'Which frames: an expression of pcap-filter, such as net 10.0.9.0/24.':
    'Welche Rahmen: ein Ausdruck von pcap-filter, etwa net 10.0.9.0/24.',
  'Whose console: its name or node_id.': 'Wessen Konsole: sein Name oder seine node_id.',
  'Whose traffic is counted.': 'Wessen Verkehr gezählt wird.',
  'never: no such frame may pass; seen: one must.': 'never: kein solcher Rahmen darf durch; seen: einer muss.',
};
