-- The tables of a Wiki.js 2.5 on PostgreSQL that a page has to do with: columns, types, keys and defaults as its
-- migrations leave them.

create table editors (
  key varchar(255) not null primary key,
  "isEnabled" boolean not null default false,
  config json not null
);

create table authentication (
  key varchar(255) not null primary key,
  "isEnabled" boolean not null default false,
  config json not null,
  "selfRegistration" boolean not null default false,
  "domainWhitelist" json not null,
  "autoEnrollGroups" json not null,
  "order" integer not null default 0,
  "strategyKey" varchar(255) not null default '',
  "displayName" varchar(255) not null default ''
);

create table groups (
  id serial primary key,
  name varchar(255) not null,
  permissions json not null,
  "pageRules" json not null,
  "isSystem" boolean not null default false,
  "createdAt" varchar(255) not null,
  "updatedAt" varchar(255) not null,
  "redirectOnLogin" varchar(255) not null default '/'
);

create table locales (
  code varchar(5) not null primary key,
  strings json,
  "isRTL" boolean not null default false,
  name varchar(255) not null,
  "nativeName" varchar(255) not null,
  availability integer not null default 0,
  "createdAt" varchar(255) not null,
  "updatedAt" varchar(255) not null
);

create table settings (
  key varchar(255) not null primary key,
  value json,
  "updatedAt" varchar(255) not null
);

create table "assetFolders" (
  id serial primary key,
  name varchar(255) not null,
  slug varchar(255) not null,
  "parentId" integer references "assetFolders" (id)
);
create index assetfolders_parentid_index on "assetFolders" ("parentId");

create table assets (
  id serial primary key,
  filename varchar(255) not null,
  hash varchar(255) not null,
  ext varchar(255) not null,
  kind text not null default 'binary' check (kind in ('binary', 'image')),
  mime varchar(255) not null default 'application/octet-stream',
  "fileSize" integer,
  metadata json,
  "createdAt" varchar(255) not null,
  "updatedAt" varchar(255) not null,
  "folderId" integer references "assetFolders" (id),
  "authorId" integer
);
create index assets_hash_index on assets (hash);

create table "assetData" (
  id integer not null primary key,
  data bytea not null
);

create table tags (
  id serial primary key,
  tag varchar(255) not null,
  title varchar(255),
  "createdAt" varchar(255) not null,
  "updatedAt" varchar(255) not null,
  constraint tags_tag_unique unique (tag)
);

create table users (
  id serial primary key,
  email varchar(255) not null,
  name varchar(255) not null,
  "providerId" varchar(255),
  password varchar(255),
  "tfaIsActive" boolean not null default false,
  "tfaSecret" varchar(255),
  "jobTitle" varchar(255) default '',
  location varchar(255) default '',
  "pictureUrl" varchar(255),
  timezone varchar(255) not null default 'America/New_York',
  "isSystem" boolean not null default false,
  "isActive" boolean not null default false,
  "isVerified" boolean not null default false,
  "mustChangePwd" boolean not null default false,
  "createdAt" varchar(255) not null,
  "updatedAt" varchar(255) not null,
  "providerKey" varchar(255) not null default 'local'
    constraint users_providerkey_foreign references authentication (key),
  "localeCode" varchar(5) not null default 'en' constraint users_localecode_foreign references locales (code),
  "defaultEditor" varchar(255) not null default 'markdown'
    constraint users_defaulteditor_foreign references editors (key),
  "lastLoginAt" varchar(255),
  "dateFormat" varchar(255) not null default '',
  appearance varchar(255) not null default '',
  constraint users_providerkey_email_unique unique ("providerKey", email)
);

create table "userGroups" (
  id serial primary key,
  "userId" integer constraint usergroups_userid_foreign references users (id) on delete cascade,
  "groupId" integer constraint usergroups_groupid_foreign references groups (id) on delete cascade
);

create table pages (
  id serial primary key,
  path varchar(255) not null,
  hash varchar(255) not null,
  title varchar(255) not null,
  description varchar(255),
  "isPrivate" boolean not null default false,
  "isPublished" boolean not null default false,
  "privateNS" varchar(255),
  "publishStartDate" varchar(255),
  "publishEndDate" varchar(255),
  content text,
  render text,
  toc json,
  "contentType" varchar(255) not null,
  "createdAt" varchar(255) not null,
  "updatedAt" varchar(255) not null,
  "editorKey" varchar(255) constraint pages_editorkey_foreign references editors (key),
  "localeCode" varchar(5) constraint pages_localecode_foreign references locales (code),
  "authorId" integer constraint pages_authorid_foreign references users (id),
  "creatorId" integer constraint pages_creatorid_foreign references users (id),
  extra json not null default '{}'
);

create table "pageHistory" (
  id serial primary key,
  path varchar(255) not null,
  hash varchar(255) not null,
  title varchar(255) not null,
  description varchar(255),
  "isPrivate" boolean not null default false,
  "isPublished" boolean not null default false,
  "publishStartDate" varchar(255),
  "publishEndDate" varchar(255),
  action varchar(255) default 'updated',
  "pageId" integer,
  content text,
  "contentType" varchar(255) not null,
  "createdAt" varchar(255) not null,
  "editorKey" varchar(255) constraint pagehistory_editorkey_foreign references editors (key),
  "localeCode" varchar(5) constraint pagehistory_localecode_foreign references locales (code),
  "authorId" integer constraint pagehistory_authorid_foreign references users (id),
  "versionDate" varchar(255) not null default '',
  extra json not null default '{}'
);

create table "pageTags" (
  id serial primary key,
  "pageId" integer constraint pagetags_pageid_foreign references pages (id) on delete cascade,
  "tagId" integer constraint pagetags_tagid_foreign references tags (id) on delete cascade
);

create table "pageHistoryTags" (
  id serial primary key,
  "pageId" integer constraint pagehistorytags_pageid_foreign references "pageHistory" (id) on delete cascade,
  "tagId" integer constraint pagehistorytags_tagid_foreign references tags (id) on delete cascade
);

create table "pageLinks" (
  id serial primary key,
  path varchar(255) not null,
  "localeCode" varchar(5) not null,
  "pageId" integer constraint pagelinks_pageid_foreign references pages (id) on delete cascade
);
create index pagelinks_path_localecode_index on "pageLinks" (path, "localeCode");

create table "pageTree" (
  id integer not null primary key,
  path varchar(255) not null,
  depth integer not null,
  title varchar(255) not null,
  "isPrivate" boolean not null default false,
  "isFolder" boolean not null default false,
  "privateNS" varchar(255),
  parent integer constraint pagetree_parent_foreign references "pageTree" (id) on delete cascade,
  "pageId" integer constraint pagetree_pageid_foreign references pages (id) on delete cascade,
  "localeCode" varchar(5) constraint pagetree_localecode_foreign references locales (code),
  ancestors json
);

create table comments (
  id serial primary key,
  content text not null,
  "createdAt" varchar(255) not null,
  "updatedAt" varchar(255) not null,
  "pageId" integer constraint comments_pageid_foreign references pages (id),
  "authorId" integer constraint comments_authorid_foreign references users (id),
  render text not null default '',
  name varchar(255) not null default '',
  email varchar(255) not null default '',
  ip varchar(255) not null default ''
);

-- What its setup puts in.
insert into editors (key, "isEnabled", config)
values ('markdown', true, '{}'), ('ckeditor', true, '{}'), ('code', true, '{}'), ('asciidoc', true, '{}');
insert into authentication (key, "isEnabled", config, "domainWhitelist", "autoEnrollGroups", "strategyKey")
values ('local', true, '{}', '[]', '[]', 'local');
insert into locales (code, name, "nativeName", "createdAt", "updatedAt")
values ('en', 'English', 'English', '2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z'),
       ('ru', 'Russian', 'Русский', '2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z'),
       ('de', 'German', 'Deutsch', '2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z');
insert into groups (name, permissions, "pageRules", "isSystem", "createdAt", "updatedAt")
values ('Administrators', '["manage:system"]', '[]', true, '2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z'),
       ('Guests', '["read:pages","read:assets","read:comments"]',
        '[{"id":"guest","roles":["read:pages","read:assets","read:comments"],"match":"START","deny":false,"path":"","locales":[]}]',
        true, '2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z');
insert into users (email, name, "isSystem", "createdAt", "updatedAt")
values ('admin@example.com', 'Ada', false, '2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z'),
       ('guest@example.com', 'Guest', true, '2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z'),
       ('bert@example.com', 'Bert', false, '2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z');
insert into "userGroups" ("userId", "groupId") values (1, 1), (2, 2);
insert into settings (key, value, "updatedAt")
values ('title', '{"v":"Tea Wiki"}', '2024-01-01T00:00:00.000Z'),
       ('host', '{"v":"https://wiki.example"}', '2024-01-01T00:00:00.000Z'),
       ('contentLicense', '{"v":"ccbysa"}', '2024-01-01T00:00:00.000Z'),
       ('lang', '{"code":"en","autoUpdate":true,"namespacing":true,"namespaces":["en","ru"]}', '2024-01-01T00:00:00.000Z');
