/** What the server says when it does not do something. The sentences of its table of errors come first, in its order. */
export const refusals: Readonly<Record<string, string>> = {
  'The request is not valid: {reason}': 'Das geht so nicht: {reason}',
  'A user name and password are needed': 'Benutzername und Passwort sind nötig',
  'Only the local server does this; this one was started with --no-local':
    'Das macht nur der lokale Server; dieser wurde mit --no-local gestartet',
  'The project is not opened': 'Das Projekt ist nicht geöffnet',
  '{what} {id} does not exist': '{what} {id} gibt es nicht',
  'There is nothing at {method} {path}': 'Bei {method} {path} gibt es nichts',
  '{method} is not possible at {path}; possible: {allowed}': '{method} geht bei {path} nicht; möglich: {allowed}',
  '{what} did not finish within {seconds} s': '{what} wurde nicht innerhalb von {seconds} s fertig',
  'Compute {name} cannot be reached: {reason}': 'Der Rechner {name} ist nicht erreichbar: {reason}',
  'This compute does not take it from controller {controller_id}: {reason}':
    'Dieser Rechner nimmt es vom Controller {controller_id} nicht an: {reason}',
  '{what} needs {needs}: {install}': '{what} braucht {needs}: {install}',
  '{what}: {reason}': '{what}: {reason}',
  '{count} of {total} nodes could not be {done}: {reason}':
    '{count} von {total} Knoten konnten nicht {done} werden: {reason}',
  '{what} is not what If-Match expects: its ETag is {etag}; read it again':
    '{what} ist nicht mehr, was If-Match erwartet: Das ETag ist {etag}; neu lesen',
  'The body is larger than {limit} bytes': 'Der Inhalt ist größer als {limit} Bytes',
  'The body is {given}; send application/json': 'Der Inhalt ist {given}; es muss application/json sein',
  '{most} clients listen or wait already, as many as this server serves':
    '{most} Programme hören oder warten schon, so viele, wie dieser Server bedient',
  '{reason}; try again in {retry_after} s': '{reason}; in {retry_after} s noch einmal versuchen',
  'The request line and the headers are larger than {limit} bytes':
    'Die Anfragezeile und die Kopfzeilen sind größer als {limit} Bytes',
  'The server failed on this request; its log has the cause under request {request_id}':
    'Der Server ist an dieser Anfrage gescheitert; der Grund steht in seinem Log unter der Anfrage {request_id}',
  'The log is damaged at {where}: {reason}': 'Das Log ist bei {where} beschädigt: {reason}',
  'The fabric process is not answering; it is being started again':
    'Der Prozess der Verbindungen antwortet nicht; er wird neu gestartet',
  'This server does not write the log: {reason}': 'Dieser Server schreibt das Log nicht: {reason}',
  'Not ready: {reason}': 'Nicht bereit: {reason}',
  'The log cannot be written: {reason}; nothing was changed':
    'Das Log lässt sich nicht schreiben: {reason}; nichts wurde geändert',
  'The database of the log cannot be reached: {reason}': 'Die Datenbank des Logs ist nicht erreichbar: {reason}',
  'No server of the cell writes at the moment: {reason}; try again':
    'Kein Server der Zelle schreibt gerade: {reason}; noch einmal versuchen',
  'The server is shutting down': 'Der Server wird beendet',
  'The disk of the data directory is full; nothing was changed':
    'Die Platte des Datenverzeichnisses ist voll; nichts wurde geändert',

  // Nodes.
  '{key} is needed for a node of this kind': '{key} fehlt, und Knoten dieser Art brauchen es',
  '{name} runs; stop it first': '{name} läuft; erst stoppen',
  '{name} is not started': '{name} läuft nicht',
  '{name} does not run': '{name} läuft nicht',
  '{name} is locked': '{name} ist gesperrt',
  '{name} is {state}; it must be {how} for this': '{name} ist {state}; dafür muss der Knoten {how} sein',
  'node {name} is {state} and cannot {action}': 'Der Knoten {name} ist {state}; {action} geht jetzt nicht',
  'node {name} is {state}: {action} is not possible now': 'Der Knoten {name} ist {state}; {action} geht jetzt nicht',
  '{fields} of {name} can change only while it is stopped': '{fields} von {name} geht nur bei gestopptem Knoten',
  'the console of {name} can change only while it is stopped':
    'Die Konsole von {name} lässt sich nur bei gestopptem Knoten ändern',
  'another node of the project is named {name}': 'Ein anderer Knoten des Projekts heißt schon {name}',
  'console port {port} belongs to another node': 'Der Konsolenport {port} gehört einem anderen Knoten',
  'console port {port} is in use by another program': 'Den Konsolenport {port} benutzt ein anderes Programm',
  'every console port of {range} is taken': 'Alle Konsolenports von {range} sind vergeben',
  'port {port} of {host} is in use by another program': 'Den Port {port} von {host} benutzt ein anderes Programm',
  '{name} has no console that can be opened here': '{name} hat keine Konsole, die sich hier öffnen lässt',
  '{name} has no console port': '{name} hat keinen Konsolenport',
  '{name} has no directory for its files': '{name} hat kein Verzeichnis für Dateien',
  '{name}: this kind of node has no files': '{name}: Knoten dieser Art haben keine Dateien',
  '{name}: this kind of node has no reload': '{name}: Knoten dieser Art lassen sich nicht neu laden',
  '{name}: this kind of node cannot be duplicated': '{name}: Knoten dieser Art lassen sich nicht duplizieren',
  '{name}: its engine cannot {action}': '{name}: Die Engine des Knotens kann das nicht ({action})',
  'it ended at once: {output}': 'sofort beendet: {output}',
  'it ended at once (code {code}): {output}': 'sofort beendet (Code {code}): {output}',
  'it does not run': 'läuft nicht',
  'an engine': 'eine Engine',
  '{program} cannot be started: {reason}': '{program} lässt sich nicht starten: {reason}',
  'the image {file} cannot be used: {reason}': 'Das Image {file} lässt sich nicht verwenden: {reason}',
  '{field} {name} is not there; looked for in {places}': '{field}: {name} ist nicht da; gesucht in {places}',
  '{field} {file} is outside {places}; put the image into one of them':
    '{field}: {file} liegt außerhalb von {places}; das Image gehört in eines davon',
  '{name} has nothing to trace: give a destination with the start, or a default_destination':
    '{name} hat kein Ziel: beim Start oder in den Einstellungen eines angeben',
  'no compute has an engine for {kind}': 'Kein Rechner hat eine Engine für {kind}',
  'there is no compute {id}: add it, or put its nodes on another one':
    'Den Rechner {id} gibt es nicht: hinzufügen, oder seine Knoten auf einen anderen legen',
  'its nodes are at {id} already': 'Die Knoten sind schon auf {id}',
  'a node is put on another compute by a request of its own':
    'Auf einen anderen Rechner kommt ein Knoten durch „Auf einen anderen Rechner“',

  // Links and captures.
  'a link cannot join a node to itself': 'Ein Link kann einen Knoten nicht mit sich selbst verbinden',
  'port {port} of {name} is already used by link {id}': 'Port {port} von {name} hat schon einen Link',
  'port {port} of {name} is used by link {id}': 'Port {port} von {name} hat schon einen Link',
  'port {port} of {name} has a link; delete that first': 'Port {port} von {name} hat einen Link; erst den löschen',
  'port {port} of {name} has a NIO': 'Port {port} von {name} hat schon eine NIO',
  '{a} is ethernet and {b} is serial': '{a} ist Ethernet und {b} seriell',
  '{a} is serial and {b} is ethernet': '{a} ist seriell und {b} Ethernet',
  '{a} and {b} both lead out of the lab and cannot be linked':
    '{a} und {b} führen beide aus dem Lab hinaus und lassen sich nicht verbinden',
  'a capture already runs on this link': 'Auf diesem Link läuft schon ein Mitschnitt',
  'there is no running node on this link: start one of its ends first':
    'An diesem Link läuft kein Knoten: erst eines der Enden starten',
  'neither {names} can filter frames': 'Keiner von beiden kann Rahmen filtern: {names}',
  'filter {name} takes a text': 'Der Filter {name} nimmt einen Text',
  'filter {name} takes {count} values, not {given}': 'Der Filter {name} nimmt {count} Werte, nicht {given}',
  'filter {name} takes {count} value, not {given}': 'Der Filter {name} nimmt {count} Wert, nicht {given}',
  'filter {name}: {value} must be a number from {least} to {most}':
    'Filter {name}: {value} muss eine Zahl von {least} bis {most} sein',
  'filter {name}: {value} must be a whole number from {least} to {most}':
    'Filter {name}: {value} muss eine ganze Zahl von {least} bis {most} sein',
  'filter {name} needs a delay or jitter beside it': 'Der Filter {name} braucht delay oder jitter neben sich',

  // Projects, snapshots, the catalogue.
  'the project is {state}': 'Das Projekt ist {state}',
  'another project is named {name}': 'Ein anderes Projekt heißt schon {name}',
  'another snapshot of the project is named {name}': 'Ein anderer Snapshot des Projekts heißt schon {name}',
  'a project is just being made in {place}': 'In {place} wird gerade ein Projekt erstellt',
  'the project of this node is just being opened or closed; try again':
    'Das Projekt dieses Knotens wird gerade geöffnet oder geschlossen; noch einmal versuchen',
  'the project was deleted while it was made': 'Das Projekt wurde gelöscht, während es entstand',
  'the project cannot be duplicated while {names} runs':
    'Solange {names} läuft, lässt sich das Projekt nicht duplizieren',
  'the project cannot be duplicated while {names} run':
    'Solange {names} laufen, lässt sich das Projekt nicht duplizieren',
  'the project cannot be exported while {names} runs':
    'Solange {names} läuft, lässt sich das Projekt nicht exportieren',
  'the project cannot be exported while {names} run':
    'Solange {names} laufen, lässt sich das Projekt nicht exportieren',
  'the project changes all the time; a snapshot needs a moment of rest':
    'Das Projekt ändert sich ständig; ein Snapshot braucht einen ruhigen Moment',
  'the files of the snapshot were changed since it was made':
    'Die Dateien des Snapshots wurden geändert, seit es ihn gibt',
  'the archive is refused: {reason}': 'Das Archiv wird nicht angenommen: {reason}',
  'the drawing is locked': 'Die Zeichnung ist gesperrt',
  'the template {name} is built in: it cannot be {done}': 'Die Vorlage {name} ist eingebaut, sie bleibt, wie sie ist',
  '{name} is used by {uses}': '{name} wird benutzt: {uses}',
  'it is not the name of a file in {place}': 'Das ist kein Name einer Datei in {place}',
  'it is larger than {count} bytes': 'Es ist größer als {count} Bytes',
  'it is neither SVG text nor a PNG, GIF or JPEG picture': 'Es ist weder SVG-Text noch ein Bild als PNG, GIF oder JPEG',
  'the body must be an SVG without entities, or a PNG, GIF or JPEG picture':
    'Der Inhalt muss ein SVG ohne Entities sein, oder ein Bild als PNG, GIF oder JPEG',
  'you have nothing to undo': 'Für dich gibt es nichts rückgängig zu machen',
  'you have nothing to redo': 'Für dich gibt es nichts zu wiederholen',
  'somebody changes the same all the time; try again': 'Jemand ändert ständig dasselbe; noch einmal versuchen',

  // Checks and the weather.
  'a project can have at most {count} checks': 'Ein Projekt kann höchstens {count} Prüfungen haben',
  'the project has no weather': 'Das Projekt hat kein Wetter',
  'the weather is on already: end it first': 'Das Wetter läuft schon: erst beenden',
  'the weather is not on: start it first': 'Das Wetter läuft nicht: erst starten',
  'the weather is at {seconds} s already; to go back, end it and start it again':
    'Das Wetter ist schon bei {seconds} s; um zurückzugehen, beenden und neu starten',

  // Words within these.
  Compute: 'Rechner',
  Drawing: 'Zeichnung',
  File: 'Datei',
  Link: 'Link',
  Node: 'Knoten',
  Project: 'Projekt',
  Snapshot: 'Snapshot',
  Template: 'Vorlage',
  opened: 'geöffnet',
  closed: 'geschlossen',
};
