export const labText = {
  'A new lab, {name}': 'Ein neues Lab, {name}',
  'Apply {name}': '{name} anwenden',
  'Comparing it with the lab …': 'Es wird mit dem Lab verglichen …',
  'It becomes a lab of its own: drop it on the list of projects.':
    'Es wird ein eigenes Lab: legen Sie es auf der Liste der Projekte ab.',
  'Text (lab.yaml)': 'Text (lab.yaml)',
  'This is no lab. Drop a project file (.gns3), its folder, an archive (.gns3project), or a text (lab.yaml).':
    'Das ist kein Lab. Legen Sie eine Projektdatei (.gns3), ihren Ordner, ein Archiv (.gns3project) oder einen Text (lab.yaml) ab.',
  'What is done': 'Was getan wird',
  'containerlab (clab.yml)': 'containerlab (clab.yml)',
  'on {compute}': 'auf {compute}',
  restarted: 'neu gestartet',
  '{added} added, {changed} changed, {removed} removed, {restarted} restarted':
    '{added} hinzugefügt, {changed} geändert, {removed} entfernt, {restarted} neu gestartet',
  '{name} becomes what the text says': '{name} wird, was der Text sagt',
  '{name} is as its text says.': '{name} ist, wie der Text es sagt.',
  '{name} is so already: nothing is to be done.': '{name} ist schon so: es ist nichts zu tun.',
} as const;
