import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_FILTER, listProjects, readFolder, readTags, sayFolder, tagsIn } from '../src/projects/project-list.ts';
import type { Overview } from '../src/store/projects.ts';
import type { Project } from '../src/store/records.ts';
import { initialsOf, tintOf } from '../src/ui/avatar.tsx';
import { sayAgo } from '../src/words/format.ts';
import { language } from '../src/words/words.ts';

const project = (name: string, folder: string[] = [], tags: string[] = []): Project =>
  ({ project_id: name, name, folder, tags }) as unknown as Project;
const projects = [
  project('b', ['Course', 'Week 2'], ['ospf']),
  project('a', ['Course', 'Week 1'], ['exam', 'ospf']),
  project('c'),
  project('d', ['Course']),
];
const overviews = new Map(
  projects.map(({ project_id }, index) => [
    project_id,
    { changed_at: `2026-01-0${index + 1}T00:00:00.000Z` } as unknown as Overview,
  ]),
);
const namesOf = (wanted: Partial<typeof NO_FILTER>): unknown => {
  const { folders, projects: shown } = listProjects(projects, overviews, { ...NO_FILTER, ...wanted });
  return [folders.map(({ name, count }) => `${name} ${count}`), shown.map(({ name }) => name)];
};

describe('the list of projects', () => {
  it('shows what lies in a folder, and the folders in it', () => {
    assert.deepEqual(namesOf({}), [['Course 3'], ['c']]);
    assert.deepEqual(namesOf({ folder: ['Course'] }), [['Week 1 1', 'Week 2 1'], ['d']]);
    assert.deepEqual(namesOf({ folder: ['Course', 'Week 1'] }), [[], ['a']]);
  });

  it('finds by name, tag and folder, in every folder below', () => {
    assert.deepEqual(namesOf({ sought: 'WEEK' }), [[], ['a', 'b']]);
    assert.deepEqual(namesOf({ sought: 'exam' }), [[], ['a']]);
    assert.deepEqual(namesOf({ sought: 'c', folder: ['Course', 'Week 2'] }), [[], ['b']]);
    assert.deepEqual(namesOf({ tag: 'ospf', order: 'name' }), [[], ['a', 'b']]);
  });

  it('has what was changed last first, or goes by name', () => {
    assert.deepEqual(namesOf({ sought: 'e' }), [[], ['d', 'a', 'b']]);
    assert.deepEqual(namesOf({ sought: 'e', order: 'name' }), [[], ['a', 'b', 'd']]);
  });

  it('counts tags, and reads folders and tags as they are typed', () => {
    assert.deepEqual(tagsIn(projects), [
      { name: 'exam', count: 1 },
      { name: 'ospf', count: 2 },
    ]);
    assert.deepEqual(readFolder(' Course /Week 1/ '), ['Course', 'Week 1']);
    assert.equal(sayFolder(['Course', 'Week 1']), 'Course / Week 1');
    assert.deepEqual(readTags('ospf, exam,, ospf '), ['ospf', 'exam']);
  });

  it('says how long ago something was, and whom an avatar stands for', () => {
    const now = Date.parse('2026-01-02T00:00:00Z');
    assert.equal(sayAgo('2026-01-01T23:58:00Z', now), '2 minutes ago');
    assert.equal(sayAgo('2026-01-01T00:00:00Z', now), 'yesterday');
    assert.equal(sayAgo('2026-01-01T23:59:50Z', now), 'this minute');
    language.set('de');
    assert.equal(sayAgo('2026-01-01T23:58:00Z', now), 'vor 2 Minuten');
    language.set('en');
    assert.equal(initialsOf('ada lovelace'), 'AL');
    assert.equal(initialsOf('bob'), 'B');
    assert.ok([1, 2, 3, 4, 5, 6].includes(tintOf('ada')));
    assert.equal(tintOf('ada'), tintOf('ada'));
  });
});
