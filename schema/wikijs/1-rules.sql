-- What guests of Wiki.js may read. In these files, `source.` stands for the schema of Wiki.js's own tables.

create schema wikijs;
revoke all on schema wikijs from public;

create table wikijs.attachment (
  only_row boolean primary key default true check (only_row),
  source text not null,
  -- Digest of the installed scripts, which differs between versions of Lectern.
  digest text not null,
  -- How many triggers on Wiki.js's tables were installed.
  triggers int not null
);

-- Permissions of guests: the permissions of the groups of user 2, which stands for everybody who is not logged in.
create table wikijs.permission (
  permission text collate "C" primary key
);

-- Page rules of guests, in the order in which Wiki.js evaluates them.
create table wikijs.rule (
  position int primary key,
  match text not null,
  pattern text collate "C" not null,
  -- Length of the pattern in UTF-16 code units, as in JavaScript.
  length int not null,
  denies boolean not null,
  roles text[] not null,
  locales text[] not null,
  -- False if PostgreSQL cannot evaluate the rule as Wiki.js does.
  is_certain boolean not null
);

create function wikijs.javascript_length(text) returns int language sql immutable as $$
  select length($1) + length(regexp_replace($1, '[^\U00010000-\U0010FFFF]', '', 'g'))
$$;

-- Whether a regular expression means the same in JavaScript and in PostgreSQL (under collation C, for paths).
create function wikijs.is_common_regex(pattern text) returns boolean language plpgsql immutable as $function$
begin
  if pattern !~ $re$^(?:[^\\^$.|?*+(){}\[\]]|[\^.$|]|[*+?]|\{\d{1,2}(?:,\d{0,2})?\}|\((?!\?)|\(\?[:=!]|\)|\\[dDwW]|\\[^A-Za-z0-9]|\[\^?(?:[^\[\]\\]|\\[^A-Za-z0-9])+\])*$$re$
     or pattern like '*%' then
    return false;
  end if;
  perform '' ~ pattern;
  return true;
exception when others then
  return false;
end $function$;

-- Reads permissions and page rules of guests. @returns whether they changed
create function wikijs.read_rules() returns boolean language plpgsql as $$
declare
  before text := (select json_agg(p order by permission)::text from wikijs.permission p)
                 || (select coalesce(json_agg(r order by position)::text, '') from wikijs.rule r);
begin
  delete from wikijs.permission;
  delete from wikijs.rule;
  insert into wikijs.permission
  select distinct permission
    from source."userGroups" u
    join source.groups g on g.id = u."groupId"
   cross join lateral json_array_elements_text(g.permissions) permission
   where u."userId" = 2;
  insert into wikijs.rule (position, match, pattern, length, denies, roles, locales, is_certain)
  select row_number() over (order by u.id, r.ordinal), coalesce(r.rule ->> 'match', ''), coalesce(r.rule ->> 'path', ''),
         wikijs.javascript_length(coalesce(r.rule ->> 'path', '')),
         coalesce(r.rule ->> 'deny', 'false') not in ('false', '0', ''),
         array(select json_array_elements_text(coalesce(r.rule -> 'roles', '[]'))),
         array(select json_array_elements_text(
           case json_typeof(r.rule -> 'locales') when 'array' then r.rule -> 'locales' else '[]' end)),
         coalesce(json_typeof(r.rule -> 'path') = 'string', false)
           and (r.rule ->> 'match' is distinct from 'REGEX' or wikijs.is_common_regex(r.rule ->> 'path'))
    from (select distinct on ("groupId") id, "groupId" from source."userGroups" where "userId" = 2 order by "groupId", id) u
    join source.groups g on g.id = u."groupId"
   cross join lateral json_array_elements(g."pageRules") with ordinality as r (rule, ordinal);
  return before is distinct from
         (select json_agg(p order by permission)::text from wikijs.permission p)
         || (select coalesce(json_agg(r order by position)::text, '') from wikijs.rule r);
end $$;

-- Whether guests have a permission for the page at a path, by the same steps as in Wiki.js. Of the rules that match, the
-- rule with the longest pattern decides. If several are as long, the most specific kind decides, and within one kind a
-- denial. A rule that PostgreSQL cannot evaluate hides every page that it could match. (D57)
create function wikijs.may(permission text, locale text, path text, tags text[]) returns boolean
language plpgsql stable as $$
declare
  kinds constant text[] := '{START,END,REGEX,TAG,EXACT}';
  rule wikijs.rule;
  is_match boolean;
  found_kind int := 0;
  found_length int := 0;
  denied boolean := true;
begin
  if not exists (select from wikijs.permission p where p.permission = may.permission) then
    return false;
  end if;
  for rule in
    select * from wikijs.rule r
     where may.permission = any (r.roles) and (r.locales = '{}' or may.locale = any (r.locales))
     order by r.position
  loop
    -- In JavaScript, a dot does not match a line end, and a character beyond U+FFFF counts as two.
    if not rule.is_certain or rule.match = 'REGEX' and path ~ '[\n\r\u2028\u2029\U00010000-\U0010FFFF]' then
      return false;
    end if;
    is_match := case rule.match
      when 'START' then starts_with(path, rule.pattern)
      when 'END' then right(path, length(rule.pattern)) = rule.pattern
      when 'REGEX' then path collate "C" ~ rule.pattern
      when 'TAG' then rule.pattern = any (tags)
      when 'EXACT' then path = rule.pattern
      else false
    end;
    if not is_match or rule.length < found_length then
      continue;
    end if;
    if rule.length = found_length
       and (array_position(kinds, rule.match) < found_kind
            or array_position(kinds, rule.match) = found_kind and denied and not rule.denies) then
      continue;
    end if;
    found_kind := array_position(kinds, rule.match);
    found_length := rule.length;
    denied := rule.denies;
  end loop;
  return not denied;
end $$;
