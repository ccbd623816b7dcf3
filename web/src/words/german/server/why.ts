/** Deeds of people, and changes of nodes. */
const deeds: Readonly<Record<string, string>> = {
  '{who} suspended the link {name}': '{who} hat den Link {name} ausgesetzt',
  '{who} resumed the link {name}': '{who} hat den Link {name} fortgesetzt',
  '{who} set the filters {filters} on the link {name}': '{who} hat dem Link {name} die Filter {filters} gegeben',
  '{who} set {filter} to {value} on the link {name}': '{who} hat {filter} auf dem Link {name} auf {value} gesetzt',
  '{who} removed the filter {filter} from the link {name}': '{who} hat vom Link {name} den Filter {filter} entfernt',
  '{who} removed the filters {filters} from the link {name}': '{who} hat vom Link {name} die Filter {filters} entfernt',
  '{who} left the link {name}': '{who} hat den Link {name} verlassen',
  '{who} changed the link {name}': '{who} hat den Link {name} geändert',
  '{who} gave {name} the text {text}': '{who} hat {name} den Text {text} gegeben',
  '{who} was behind {type}: {name}': '{who} steckt hinter {type}: {name}',
  '{who} changed {name}': '{who} hat {name} geändert',
  '{who} changed {name}: {values}': '{who} hat {name} geändert: {values}',
  '{who} crashed {name}': '{who} hat {name} abstürzen lassen',
  '{name} ended by itself with code {code}': '{name} hat sich mit Code {code} beendet',
  '{name} was ended by {signal}': '{name} wurde durch {signal} beendet',
  '{name} was lost: {reason}': '{name} ging verloren: {reason}',
  '{name} could not be started: {reason}': '{name} ließ sich nicht starten: {reason}',
  '{name} could not be reached any more: {reason}': '{name} war nicht mehr erreichbar: {reason}',
  '{who} asked all nodes to start': '{who} wollte alle Knoten starten',
  '{who} asked all nodes to stop': '{who} wollte alle Knoten stoppen',
  '{who} asked all nodes to suspend': '{who} wollte alle Knoten anhalten',
  '{who} asked all nodes to reload': '{who} wollte alle Knoten neu laden',
  '{who} linked {name}': '{who} hat {name} verbunden',
  '{who} deleted the link {name}': '{who} hat den Link {name} gelöscht',
  '{who} put back the link {name}': '{who} hat den Link {name} zurückgeholt',
  '{who} made {name}': '{who} hat {name} erstellt',
  '{who} deleted {name}': '{who} hat {name} gelöscht',
  '{who} put back {name}': '{who} hat {name} zurückgeholt',
  '{who} started {name}': '{who} hat {name} gestartet',
  '{who} stopped {name}': '{who} hat {name} gestoppt',
  '{who} suspended {name}': '{who} hat {name} angehalten',
  '{who} reloaded {name}': '{who} hat {name} neu geladen',
  '{who} closed the project': '{who} hat das Projekt geschlossen',
  '{who} applied a text to the project': '{who} hat dem Projekt einen Text gegeben',
  '{who} restored a snapshot of the project': '{who} hat einen Snapshot des Projekts wiederhergestellt',
};

/** Users, those without a name, and the weather. */
const WHO = [
  ['{who}', '{who}'],
  ['anonymous', 'Jemand'],
  ['system', 'Der Server'],
  ['The weather', 'Das Wetter'],
  ['The weather ({storms})', 'Das Wetter ({storms})'],
] as const;

/** Answers to why a node does not reach another. */
export const why: Readonly<Record<string, string>> = {
  '{from} reaches {to}.': '{from} erreicht {to}.',
  '{from} does not reach {to}: {reason}.': '{from} erreicht {to} nicht: {reason}.',
  '{from} does not reach {to}: {reason}. {since}.': '{from} erreicht {to} nicht: {reason}. {since}.',
  "{to}'s answers do not come back to {from}: {reason}.":
    'Die Antworten von {to} kommen nicht zu {from} zurück: {reason}.',
  "{to}'s answers do not come back to {from}: {reason}. {since}.":
    'Die Antworten von {to} kommen nicht zu {from} zurück: {reason}. {since}.',
  'Nothing is in the way from {from} to {to}, as far as is known here; what {names} does with packets is not.':
    'Nichts ist im Weg von {from} nach {to}, soweit es hier bekannt ist; was {names} mit Paketen macht, ist es nicht.',
  'Whether {from} reaches {to} is not known: {reason}.': 'Ob {from} {to} erreicht, ist nicht bekannt: {reason}.',
  'Whether {from} reaches {to} is not known: {reason}. {since}.':
    'Ob {from} {to} erreicht, ist nicht bekannt: {reason}. {since}.',
  'it was tried, and what is in the way is not known': 'es wurde versucht, und was im Weg ist, ist nicht bekannt',
  'perhaps {reason}': 'vielleicht {reason}',
  'it was tried, and passes, although {reason}': 'es wurde versucht und kommt an, obwohl {reason}',
  'let {name} try it': '{name} es versuchen lassen',
  'record the console of {name}, and ask there for its addresses and routes':
    'die Konsole von {name} aufzeichnen und dort nach Adressen und Routen fragen',
  'record the console of {name}, and ask there again for its addresses and routes':
    'die Konsole von {name} aufzeichnen und dort noch einmal nach Adressen und Routen fragen',
  'look at what is beyond {name}': 'ansehen, was hinter {name} liegt',
  'look whether {name} listens at {port}': 'ansehen, ob {name} an {port} lauscht',

  // Obstacles.
  'the project {name} is not open': 'das Projekt {name} ist nicht geöffnet',
  '{name} is gone': '{name} ist gelöscht',
  '{name} cannot be reached: {reason}': '{name} ist nicht erreichbar: {reason}',
  '{name} is stopped': '{name} ist gestoppt',
  '{name} is suspended': '{name} ist angehalten',
  '{name} is simulated, and moves no frames': '{name} ist simuliert und überträgt keine Frames',
  '{name} has no address': '{name} hat keine Adresse',
  '{name} has no address, and its text says {address}': '{name} hat keine Adresse, und sein Text nennt {address}',
  '{name} does not get {address}, which {other} has': '{name} bekommt {address} nicht, denn {other} hat sie',
  '{names} both have {address}': '{names} haben beide {address}',
  '{name} ({has}) has no route to {whom}, which is in another network':
    '{name} ({has}) hat keine Route zu {whom}; das ist in einem anderen Netz',
  '{name} ({has}) has no route to {address}, an address that no node of the lab has':
    '{name} ({has}) hat keine Route zu {address}; die Adresse hat kein Knoten des Labs',
  '{name} sends to {address}, an address that no node of the lab has':
    '{name} sendet an {address}; die Adresse hat kein Knoten des Labs',
  '{name} sends to its gateway {address}, an address that no node of the lab has':
    '{name} sendet an sein Gateway {address}; die Adresse hat kein Knoten des Labs',
  '{name} sends to {address}, an address that no node of the lab is known to have':
    '{name} sendet an {address}; dass ein Knoten des Labs die Adresse hätte, ist nicht bekannt',
  '{name} sends to its gateway {address}, an address that no node of the lab is known to have':
    '{name} sendet an sein Gateway {address}; dass ein Knoten des Labs die Adresse hätte, ist nicht bekannt',
  '{name} may have {address}, which no node is known to have':
    '{name} hat vielleicht {address}; von keinem Knoten ist es bekannt',
  '{name} has no route to {whom}': '{name} hat keine Route zu {whom}',
  '{name} has only addresses of IPv{own}, and {other} of IPv{others}':
    '{name} hat nur Adressen von IPv{own} und {other} nur von IPv{others}',
  '{name} takes {address} for a neighbour, and only routers lead there':
    '{name} hält {address} für einen Nachbarn, und dorthin führen nur Router',
  '{name} sends it to {address}, which is {other}, and that is no router':
    '{name} sendet es an {address}, das ist {other}, und der ist kein Router',
  'routers send the packet round in a circle, past {name}': 'Router schicken das Paket im Kreis, an {name} vorbei',
  'no cables lead from {port} to {whom}': 'keine Kabel führen von {port} nach {whom}',
  '{port} has no link': '{port} hat keinen Link',
  '{by} sends frames with a tag, which {name} does not take':
    '{by} sendet Frames mit einem Tag, und die nimmt {name} nicht',
  '{by} sends frames of VLAN {vlan} with a tag, which {name} does not take':
    '{by} sendet Frames von VLAN {vlan} mit einem Tag, und die nimmt {name} nicht',
  '{names} form a loop, in which every broadcast goes round for ever ({links})':
    '{names} bilden einen Ring, in dem jeder Broadcast für immer kreist ({links})',
  '{name} takes the frames into VLAN {vlan} at {port}, and {out} is {how}':
    '{name} nimmt die Frames an {port} in VLAN {vlan}, und {out} ist {how}',
  '{name} takes no frame of that VLAN at {port}, which is {how}':
    '{name} nimmt an {port} keinen Frame dieses VLANs, denn der ist {how}',
  'access in VLAN {vlan}': 'Access in VLAN {vlan}',
  'a tunnel in VLAN {vlan}': 'ein Tunnel in VLAN {vlan}',
  'a trunk': 'ein Trunk',
  '{name} has no circuit from port {from} to port {to}': '{name} hat keinen Circuit von Port {from} zu Port {to}',

  // Links.
  'the link {name} is gone': 'der Link {name} ist gelöscht',
  'the link {name} is suspended': 'der Link {name} ist ausgesetzt',
  'the link {name} has a filter (bpf) that drops these frames':
    'der Link {name} hat einen Filter (bpf), der diese Frames verwirft',
  'the link {name} drops every frame (frequency_drop)': 'der Link {name} verwirft jeden Frame (frequency_drop)',
  ...Object.fromEntries(
    ['st', 'nd', 'rd', 'th'].map((ending) => [
      `the link {name} drops every {count}${ending} frame`,
      'der Link {name} verwirft jeden {count}. Frame',
    ]),
  ),
  'the link {name} loses every frame (packet_loss 100 %)': 'der Link {name} verliert jeden Frame (packet_loss 100 %)',
  'the link {name} loses every frame (burst_loss)': 'der Link {name} verliert jeden Frame (burst_loss)',
  'the link {name} loses {percent} % of the frames': 'der Link {name} verliert {percent} % der Frames',
  'the link {name} loses frames in bursts': 'der Link {name} verliert Frames in Schüben',
  'the link {name} spoils every frame (corrupt 100 %)': 'der Link {name} verfälscht jeden Frame (corrupt 100 %)',
  'the link {name} spoils {percent} % of the frames': 'der Link {name} verfälscht {percent} % der Frames',
  'the link {name} delays frames by {ms} ms, longer than a ping waits':
    'der Link {name} verzögert Frames um {ms} ms, länger als ein Ping wartet',
  'the link {name} needs {ms} ms for one of these frames (rate {rate} kbit/s)':
    'der Link {name} braucht {ms} ms für einen dieser Frames (rate {rate} kbit/s)',
  'the link {name} delays frames by {ms} ms; there and back takes {all} ms, and a ping waits for {patience}':
    'der Link {name} verzögert Frames um {ms} ms; hin und zurück dauert es {all} ms, und ein Ping wartet {patience}',
  'the link {name} needs {ms} ms for one of these frames (rate {rate} kbit/s); there and back takes {all} ms, and a ping waits for {patience}':
    'der Link {name} braucht {ms} ms für einen dieser Frames (rate {rate} kbit/s); hin und zurück dauert es {all} ms, und ein Ping wartet {patience}',

  // Since when.
  ...Object.fromEntries(
    Object.entries(deeds).flatMap(([deed, german]) =>
      WHO.map(([who, wer]) => [
        `${deed.replace('{who}', who)} at {time} (event {position})`,
        `${german.replace('{who}', wer)}, {time} (Ereignis {position})`,
      ]),
    ),
  ),

  // Notes.
  'no packet': 'kein Paket',
  '1 packet': '1 Paket',
  '{count} packets': '{count} Pakete',
  none: 'keine',
  'the capture of {link} has {packets} from {from} to {to}, and {back} back':
    'der Mitschnitt von {link} hat von {from} nach {to}: {packets}, zurück: {back}',
  'the capture of {link} has {packets} from {from} to {to}, the last at {time}, and {back} back':
    'der Mitschnitt von {link} hat von {from} nach {to}: {packets} (zuletzt {time}), zurück: {back}',
  'the addresses of {name} are those that its console showed at {time}':
    'die Adressen von {name} sind die, die seine Konsole um {time} zeigte',
  'the addresses and routes of {name} are those that its console showed at {time}':
    'die Adressen und Routen von {name} sind die, die seine Konsole um {time} zeigte',
  'since when it is so was looked for too long, and not found':
    'seit wann das so ist, wurde zu lange gesucht und nicht gefunden',
  '{name} had it in this run: somebody typed otherwise at its console':
    '{name} hatte es in diesem Lauf: jemand hat an seiner Konsole etwas anderes getippt',
  '{name} still runs its start-up text': '{name} führt noch seinen Starttext aus',
  '{name} had it until then: what was typed there is not in its start-up text':
    '{name} hatte es bis dahin: was dort getippt wurde, steht nicht in seinem Starttext',
  '{name} has learned {address} at {mac}': '{name} hat {address} bei {mac} gelernt',
  '{name} has learned {address} at {mac}, which is {other}': '{name} hat {address} bei {mac} gelernt, das ist {other}',
  '{name} has seen {mac} at {port}, and the way leads by {out}':
    '{name} hat {mac} an {port} gesehen, und der Weg führt über {out}',
};
