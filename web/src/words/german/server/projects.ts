/** Sentences about projects, snapshots, templates, drawings, checks, the weather, and what is undone. */
export const projectRefusals: Readonly<Record<string, string>> = {
  'the project is {state}': 'Das Projekt ist {state}',
  'another project is named {name}': 'Ein anderes Projekt heißt schon {name}',
  'project_id {id} is in use; import under another one':
    'Die project_id {id} ist vergeben; unter einer anderen importieren',
  'project_id {id} of {file} is that of {name}, which is loaded from {place}; new_id=true loads it beside':
    'Die project_id {id} von {file} hat schon {name}, geladen aus {place}; new_id=true lädt es daneben',
  'a project can have at most {count} {what}s': 'Ein Projekt kann höchstens {count} {what} haben',
  'a project can have at most {count} nodes': 'Ein Projekt kann höchstens {count} Knoten haben',
  'a project can have at most {count} links': 'Ein Projekt kann höchstens {count} Links haben',
  'a project can have at most {count} drawings': 'Ein Projekt kann höchstens {count} Zeichnungen haben',
  'a project is just being made in {place}': 'In {place} wird gerade ein Projekt erstellt',
  'path: {place} has a project file {file} already; load that (POST /v2/projects/load), or name another directory':
    'path: In {place} liegt schon eine Projektdatei {file}; diese laden (POST /v2/projects/load), oder ein anderes Verzeichnis nennen',
  'path: {place} is a directory that the server keeps its own files in; leave path out, or name a directory that is a project’s alone':
    'path: {place} ist ein Verzeichnis für eigene Dateien des Servers; path weglassen, oder ein Verzeichnis nur für das Projekt nennen',
  'path: {place} is in use by the project {name} ({id}); name a directory that is no project’s':
    'path: {place} gehört dem Projekt {name} ({id}); ein Verzeichnis nennen, das keinem Projekt gehört',
  'path: {file} lies in the directory of the project {name} ({id}), and would go with that; move it elsewhere':
    'path: {file} liegt im Verzeichnis des Projekts {name} ({id}) und würde mit ihm gelöscht; anderswohin verschieben',
  'the project of this node is just being opened or closed; try again':
    'Das Projekt dieses Knotens wird gerade geöffnet oder geschlossen; noch einmal versuchen',
  'the project was deleted while it was made': 'Das Projekt wurde gelöscht, während es entstand',
  'the project was not there at that moment': 'Das Projekt gab es in diesem Moment nicht',
  'the project is at version {version}, not {expected}': 'Das Projekt ist bei Version {version}, nicht {expected}',
  'the project cannot be exported while {names} runs':
    'Solange {names} läuft, lässt sich das Projekt nicht exportieren',
  'the project cannot be exported while {names} run':
    'Solange {names} laufen, lässt sich das Projekt nicht exportieren',
  'the project cannot be kept in a snapshot while {names} runs':
    'Solange {names} läuft, lässt sich vom Projekt kein Snapshot machen',
  'the project cannot be kept in a snapshot while {names} run':
    'Solange {names} laufen, lässt sich vom Projekt kein Snapshot machen',
  'an archive cannot have {name}: what such a node is lies outside the server':
    'Ein Archiv kann {name} nicht enthalten: Was ein solcher Knoten ist, liegt außerhalb des Servers',
  '{name} could not be opened: {reason}': '{name} ließ sich nicht öffnen: {reason}',
  '{name} is closed, as {reason}': '{name} ist geschlossen, denn {reason}',
  'its last viewer left': 'niemand schaut mehr hin',
  'its compute was removed': 'sein Rechner wurde entfernt',
  'it was asked for': 'es war so gewollt',

  // Snapshots.
  'another snapshot of the project is named {name}': 'Ein anderer Snapshot des Projekts heißt schon {name}',
  'snapshot_id {id} is in use': 'Die snapshot_id {id} ist vergeben',
  'a snapshot with the snapshot_id {id} is just being taken away; try again':
    'Ein Snapshot mit der snapshot_id {id} wird gerade entfernt; versuchen Sie es noch einmal',
  'the {what} {id} of the snapshot is in the project {name} by now; delete it there first':
    '{what} {id} des Snapshots ist inzwischen im Projekt {name}; löschen Sie das dort zuerst',
  'the node {id} of the snapshot is in the project {name} by now; delete it there first':
    'Der Knoten {id} des Snapshots ist inzwischen im Projekt {name}; löschen Sie ihn dort zuerst',
  'the link {id} of the snapshot is in the project {name} by now; delete it there first':
    'Der Link {id} des Snapshots ist inzwischen im Projekt {name}; löschen Sie ihn dort zuerst',
  'the drawing {id} of the snapshot is in the project {name} by now; delete it there first':
    'Die Zeichnung {id} des Snapshots ist inzwischen im Projekt {name}; löschen Sie sie dort zuerst',
  'the project changes all the time; a snapshot needs a moment of rest':
    'Das Projekt ändert sich ständig; ein Snapshot braucht einen ruhigen Moment',
  'the files of the snapshot were changed since it was made':
    'Die Dateien des Snapshots wurden geändert, seit es ihn gibt',
  'the files of the snapshot are not in {place}': 'Die Dateien des Snapshots sind nicht in {place}',
  'the files of the restored snapshot could not take their places: their list is damaged; they are in {place}':
    'Die Dateien des wiederhergestellten Snapshots konnten nicht an ihre Plätze: Ihre Liste ist beschädigt; sie sind in {place}',
  'a snapshot could not be restored: {reason}': 'Ein Snapshot ließ sich nicht wiederherstellen: {reason}',
  'snapshot {name} was left out: {reason}': 'Der Snapshot {name} wurde weggelassen: {reason}',
  '{count} snapshots were left out: {most} are the most':
    '{count} Snapshots wurden weggelassen: Mehr als {most} gehen nicht',

  // The templates that are built in, by their names.
  'ATM switch': 'ATM-Switch',
  Cloud: 'Cloud',
  'Ethernet hub': 'Ethernet-Hub',
  'Ethernet switch': 'Ethernet-Switch',
  'Frame Relay switch': 'Frame-Relay-Switch',
  NAT: 'NAT',
  Router: 'Router',
  TraceNG: 'TraceNG',
  VPCS: 'VPCS',

  // Templates, drawings, appliances.
  'the template {name} is built in: it cannot be {action}': 'Die Vorlage {name} ist eingebaut, sie bleibt, wie sie ist',
  'template_id {id} is in use': 'Die template_id {id} ist vergeben',
  'templates have no such setting': 'eine solche Einstellung haben Vorlagen nicht',
  '{name} is used by {uses}': '{name} wird benutzt: {uses}',
  "{name} starts without {file}: it is not in the directory configs of the server's files":
    '{name} startet ohne {file}: Es liegt nicht im Verzeichnis configs der Dateien des Servers',
  'the drawing is locked': 'Die Zeichnung ist gesperrt',
  'drawing_id {id} is in use': 'Die drawing_id {id} ist vergeben',
  'the appliance: {reason}': 'Die Appliance: {reason}',
  'it has none of the sections {names}': 'sie hat keinen der Abschnitte {names}',
  'it has more than one of the sections {names}': 'sie hat mehr als einen der Abschnitte {names}',

  // Edits.
  'you have nothing to undo': 'Für dich gibt es nichts rückgängig zu machen',
  'you have nothing to redo': 'Für dich gibt es nichts zu wiederholen',
  'you have nothing to {action}': 'Für dich gibt es nichts ({action})',
  'nothing is left to undo': 'Es ist nichts mehr rückgängig zu machen',
  'nothing is left to redo': 'Es ist nichts mehr zu wiederholen',
  'nothing is left to {action}': 'Dazu ist nichts mehr da ({action})',
  'nothing is left to {action}: {reason}': 'Dazu ist nichts mehr da ({action}): {reason}',
  'that edit is by {name}: you can {action} your own':
    'Diese Änderung ist von {name}; das geht nur mit den eigenen ({action})',
  'that edit is {done} already': 'Diese Änderung ist schon {done}',
  undone: 'rückgängig gemacht',
  redone: 'wiederholt',
  'you have edited the lab since: that edit cannot be redone':
    'Seither wurde das Lab geändert: Diese Änderung lässt sich nicht wiederholen',
  'somebody changes the same all the time; try again': 'Jemand ändert ständig dasselbe; noch einmal versuchen',
  'there was no such {what} at that moment, and there is none':
    'In diesem Moment gab es das nicht ({what}), und jetzt auch nicht',
  'steps.{number}: {reason}': 'Schritt {number}: {reason}',
  'a node is put on another compute by a request of its own':
    'Auf einen anderen Rechner kommt ein Knoten durch „Auf einen anderen Rechner“',

  // Checks and why.
  'a project can have at most {count} checks': 'Ein Projekt kann höchstens {count} Prüfungen haben',
  'from and to are the same node; name another one': 'from und to sind derselbe Knoten; einen anderen nennen',
  'port must be a number from 1 to {most}, as in 80, tcp/80 or udp/53, not {given}':
    'port muss eine Zahl von 1 bis {most} sein, wie in 80, tcp/80 oder udp/53, nicht {given}',
  'to must be a node of the lab or an address, not {given}':
    'to muss ein Knoten des Labs oder eine Adresse sein, nicht {given}',

  // The weather.
  'the project has no weather yet: add some, or write it in the text of the lab, under weather':
    'Das Projekt hat noch kein Wetter: eines anlegen, oder es in den Text des Labs schreiben, unter weather',
  'a weather can have at most {count} entries': 'Ein Wetter kann höchstens {count} Einträge haben',
  'the weather is on already: end it first': 'Das Wetter läuft schon: erst beenden',
  'the weather is not on: start it first': 'Das Wetter läuft nicht: erst starten',
  'the weather is at {seconds} s already; to go back, end it and start it again':
    'Das Wetter ist schon bei {seconds} s; um zurückzugehen, beenden und neu starten',
  'nothing changes any more': 'Es ändert sich nichts mehr',
  'no entry of the weather that is called {name} begins after this':
    'Danach beginnt kein Eintrag des Wetters mit dem Namen {name}',
  'the weather of link {id}: {reason}': 'Das Wetter von Link {id}: {reason}',
  '{field}: there is no node {name}': '{field}: Den Knoten {name} gibt es nicht',
  'links: there is no link {name}': 'links: Den Link {name} gibt es nicht',
  'links: {name} is more than one link': 'links: {name} ist mehr als ein Link',
  'links: {name} has no port {port}': 'links: {name} hat keinen Port {port}',
  'trace: a server reads no files; send csv or points': 'trace: Ein Server liest keine Dateien; csv oder points senden',
  'trace: its first line must name columns among {names}, time among them':
    'trace: Die erste Zeile muss Spalten von {names} nennen, darunter time',
  'must say something like: PC1 reaches PC2 within 10s, or: PC1 does not reach 10.0.9.1':
    'muss auf Englisch etwa so heißen: PC1 reaches PC2 within 10s, oder: PC1 does not reach 10.0.9.1',
  'trace: it must have 1 to {most} points': 'trace: Es müssen 1 bis {most} Punkte sein',
  'trace: point {number} must be at least 1 ms behind the one before it':
    'trace: Punkt {number} muss mindestens 1 ms nach dem vorigen sein',
  'trace: line {number} must have {count} values': 'trace: Zeile {number} muss {count} Werte haben',
  'trace: line {number}: {name} must be a number from 0 to {most}':
    'trace: Zeile {number}: {name} muss eine Zahl von 0 bis {most} sein',
  'the project was restored while the text was being applied':
    'das Projekt wurde wiederhergestellt, während der Text angewendet wurde',
  '{what} would be removed, and somebody has just changed it: look at the plan again':
    '{what} würde entfernt, und jemand hat es gerade geändert: den Plan noch einmal ansehen',
  'the plan for {name}': 'der Plan für {name}',
  'the server ended before the lab was what the text says': 'der Server endete, bevor das Labor war, was der Text sagt',
};
