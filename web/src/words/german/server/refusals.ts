/** Refusals of the server. The sentences of its table of errors come first, in its order. */
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
  '{count} of {total} nodes could not be started: {reason}':
    '{count} von {total} Knoten konnten nicht gestartet werden: {reason}',
  '{count} of {total} nodes could not be stopped: {reason}':
    '{count} von {total} Knoten konnten nicht gestoppt werden: {reason}',
  '{count} of {total} nodes could not be suspended: {reason}':
    '{count} von {total} Knoten konnten nicht angehalten werden: {reason}',
  '{count} of {total} nodes could not be reloaded: {reason}':
    '{count} von {total} Knoten konnten nicht neu geladen werden: {reason}',
  '{count} of {total} nodes could not be reset: {reason}':
    '{count} von {total} Knoten konnten nicht zurückgesetzt werden: {reason}',
  '{name} ({reason})': '{name} ({reason})',
  'path: {path} is in use by the project {name}; name a directory that is no project’s':
    'path: {path} gehört zum Projekt {name}; nennen Sie ein Verzeichnis, das keinem Projekt gehört',
  'path: {path} lies in the directory of the project {name}, and would go with that; move it elsewhere':
    'path: {path} liegt im Verzeichnis des Projekts {name} und ginge mit ihm; legen Sie die Datei anderswo ab',
  'an archive has *** in the place of {what}': 'ein Archiv hat *** anstelle von: {what}',
  'the archive for servers of the line 2.2 is without {what}': 'dem Archiv für Server der Reihe 2.2 fehlt: {what}',
  'must be 9 (for GNS3 2.2) or 10 (GNS3 3.x)': 'muss 9 (für GNS3 2.2) oder 10 (GNS3 3.x) sein',
  '{name} ({what}); {reason}': '{name} ({what}); {reason}',
  'and {count} more': 'und {count} weitere',
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
    'Der Prozess der Links antwortet nicht; er wird neu gestartet',
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
  'The disk of the data directory is full; a part of this was done, see {place}':
    'Die Platte des Datenverzeichnisses ist voll; ein Teil davon ist geschehen, siehe {place}',
  'The log cannot be written: {reason}; a part of this was done, see {place}':
    'Das Log lässt sich nicht schreiben: {reason}; ein Teil davon ist geschehen, siehe {place}',

  // Requests, users, and who may ask.
  'the body does not fit': 'Der Inhalt passt nicht',
  'the body must be a JSON object': 'Der Inhalt muss ein JSON-Objekt sein',
  'the body must be JSON': 'Der Inhalt muss JSON sein',
  'the body must be UTF-8': 'Der Inhalt muss UTF-8 sein',
  'the body {reason}': 'Der Inhalt {reason}',
  'The project file {reason}': 'Die Projektdatei {reason}',
  '{name}: the answer to {what} {reason}': '{name}: Die Antwort auf {what} {reason}',
  'has more than {count} characters': 'hat mehr als {count} Zeichen',
  'has more than {count} octets': 'hat mehr als {count} Oktette',
  'has more than {count} values': 'hat mehr als {count} Werte',
  'is nested deeper than {count} levels': 'ist tiefer als {count} Ebenen verschachtelt',
  'the body must not have a key __proto__': 'Der Inhalt darf keinen Schlüssel __proto__ haben',
  'the path is not validly percent-encoded': 'Der Pfad ist nicht gültig kodiert (Prozentzeichen)',
  'the body broke off': 'Der Inhalt brach ab',
  'the body has another length than its Content-Length says':
    'Der Inhalt hat eine andere Länge, als Content-Length sagt',
  'there is no WebSocket at this path': 'Unter diesem Pfad gibt es keinen WebSocket',
  'a request with a body must not ask for an upgrade': 'Eine Anfrage mit Inhalt darf kein Upgrade verlangen',
  'this path offers no upgrade': 'Unter diesem Pfad gibt es kein Upgrade',
  'the form has no boundary in its Content-Type': 'Dem Formular fehlt boundary im Content-Type',
  'the form has no field named file': 'Dem Formular fehlt das Feld file',
  'the form breaks off': 'Das Formular bricht ab',
  'an identifier of the path is too long': 'Eine Kennung im Pfad ist zu lang',
  '{field} is too large': '{field} ist zu groß',
  'since must be an ISO time, not {given}': 'since muss eine ISO-Zeit sein, nicht {given}',
  '{field} must be a position or an ISO time, not {given}':
    '{field} muss eine Position oder eine ISO-Zeit sein, nicht {given}',
  'this server knows the log up to {known}, and not position {position} yet':
    'dieser Server kennt das Log bis {known} und Position {position} noch nicht',
  'Too many wrong passwords': 'Zu viele falsche Passwörter',
  'Too many passwords are being checked': 'Zu viele Passwörter werden gerade geprüft',
  'This address has more than {count} connections': 'Diese Adresse hat mehr als {count} Verbindungen',
  'This address has {count} unanswered requests': 'Diese Adresse hat {count} unbeantwortete Anfragen',
  'Pages of no origin may not use this server': 'Seiten ohne Herkunft dürfen diesen Server nicht benutzen',
  'Pages of {origin} may not use this server': 'Seiten von {origin} dürfen diesen Server nicht benutzen',
  'Pages of other sites may not use this server': 'Seiten anderer Herkunft dürfen diesen Server nicht benutzen',
  '{host} is not a name of this server; --allow-host makes it one':
    '{host} ist kein Name dieses Servers; --allow-host macht ihn dazu',
  'a user name has 1 to 64 letters, digits, blanks and . _ @ + -, no blank at its ends, and is not anonymous or system':
    'Ein Benutzername hat 1 bis 64 Buchstaben, Ziffern, Leerzeichen und . _ @ + -, kein Leerzeichen am Anfang oder Ende, und ist nicht anonymous oder system',
  'X-Topolog-User: a user name has 1 to 64 letters, digits, blanks and . _ @ + -, no blank at its ends, and is not anonymous or system; leave the header out to be nobody in particular':
    'X-Topolog-User: Ein Benutzername hat 1 bis 64 Buchstaben, Ziffern, Leerzeichen und . _ @ + -, kein Leerzeichen am Anfang oder Ende, und ist nicht anonymous oder system; ohne die Kopfzeile bleibt man namenlos',
  'line {number} of the users is not valid: {reason}': 'Zeile {number} der Benutzer ist nicht gültig: {reason}',
  'it does not fit its checksum: it is damaged, or was changed by hand; set the password again':
    'sie passt nicht zu ihrer Prüfsumme: beschädigt, oder von Hand geändert; das Passwort neu setzen',
  'the Idempotency-Key {key} was used for another request: {method} {path}':
    'Der Idempotency-Key {key} gehört zu einer anderen Anfrage: {method} {path}',
  'the first request with this Idempotency-Key was cut off; what it did: {path}':
    'Die erste Anfrage mit diesem Idempotency-Key wurde abgebrochen; was sie getan hat: {path}',
  'this was done, and its answer is too long to be kept: {path}':
    'Das ist geschehen, und die Antwort ist zu lang zum Aufbewahren: {path}',
  'The project was deleted': 'Das Projekt wurde gelöscht',
  'The log could not be read': 'Das Log ließ sich nicht lesen',
  'The listener is too slow': 'Wer zuhört, ist zu langsam',
  'a message has {count} octets at most': 'eine Nachricht hat höchstens {count} Oktette',
  'more than {count} messages in a second': 'mehr als {count} Nachrichten in einer Sekunde',
  'a helper machine is not supported: this server runs every node itself':
    'Eine Hilfsmaschine gibt es nicht: Dieser Server führt jeden Knoten selbst aus',

  // The log.
  'this server is the {role} of its cell': 'dieser Server ist in seiner Zelle der {role}',
  'the log of this server is its own: there is nobody to hand over to':
    'Dieser Server hat sein Log für sich: Es gibt keinen, dem er es übergeben könnte',
  'this server does not write': 'dieser Server schreibt nicht',
  'no other server of the cell stands by': 'kein anderer Server der Zelle steht bereit',
  'no other server of the cell that stands by answers: {reason}':
    'kein anderer Server der Zelle, der bereitsteht, antwortet: {reason}',
  'answered writes can be lost: {reason}': 'beantwortete Schreibvorgänge können verloren gehen: {reason}',
  '{reason}; --accept-data-loss goes on with that': '{reason}; mit --accept-data-loss geht es so weiter',
  'The header X-Topolog-Forwarded is not believed: no server of this cell has signed this request':
    'Der Kopfzeile X-Topolog-Forwarded wird nicht geglaubt: kein Server dieser Zelle hat diese Anfrage unterschrieben',
  'The header X-Topolog-Forwarded is not believed: its signature is for another body':
    'Der Kopfzeile X-Topolog-Forwarded wird nicht geglaubt: ihre Unterschrift gilt für einen anderen Inhalt',
  'The header X-Topolog-Forwarded is not believed: it was forwarded before':
    'Der Kopfzeile X-Topolog-Forwarded wird nicht geglaubt: sie wurde schon einmal weitergereicht',
  'The header X-Topolog-Forwarded is not believed: this server is of no cell':
    'Der Kopfzeile X-Topolog-Forwarded wird nicht geglaubt: dieser Server gehört zu keiner Zelle',
  'The header X-Topolog-Forwarded is not believed: it is of a server with --no-local, and the one that writes has --local; start the servers of a cell with the same':
    'Der Kopfzeile X-Topolog-Forwarded wird nicht geglaubt: sie kommt von einem Server mit --no-local, und der schreibende hat --local; starten Sie die Server einer Zelle mit demselben',
  'another server writes by now': 'inzwischen schreibt ein anderer Server',
  'another one is just taking over': 'gerade übernimmt ein anderer',
  'another server took the fabric (process {pid}), and this one took it back':
    'ein anderer Server hat den Prozess der Links ({pid}) genommen, und dieser hat ihn zurückgenommen',
  '{reason}; another took its place': '{reason}; ein anderer ist an seine Stelle getreten',
  '{reason}; the request was not carried out': '{reason}; die Anfrage wurde nicht ausgeführt',
  '{reason}; whether the request was carried out is not known':
    '{reason}; ob die Anfrage ausgeführt wurde, ist nicht bekannt',
  '{reason}; what was just being written may be in it': '{reason}; was gerade geschrieben wurde, kann darin sein',
  'its lease is over': 'die Frist ist abgelaufen',
  'it only reads it': 'es wird nur gelesen',
  'it is being opened again': 'es wird neu geöffnet',

  // Words within these.
  Capture: 'Mitschnitt',
  Check: 'Prüfung',
  Compute: 'Rechner',
  Controller: 'Controller',
  'Directory of images of': 'Verzeichnis der Images von',
  Drawing: 'Zeichnung',
  Edit: 'Änderung',
  File: 'Datei',
  Image: 'Image',
  Kind: 'Art',
  Link: 'Link',
  'NIO of {name}': 'NIO von {name}',
  Node: 'Knoten',
  'Node of the link': 'Knoten des Links',
  'Open project': 'Geöffnetes Projekt',
  Packet: 'Paket',
  'Port of {name}': 'Port von {name}',
  Project: 'Projekt',
  Recording: 'Aufzeichnung',
  'Sending the body': 'Das Senden des Inhalts',
  Snapshot: 'Snapshot',
  Symbol: 'Symbol',
  Template: 'Vorlage',
  User: 'Benutzer',
  Version: 'Version',
  Weather: 'Wetter',
  '{path} of node': '{path} des Knotens',
  opened: 'geöffnet',
  closed: 'geschlossen',
};
