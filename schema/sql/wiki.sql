-- name: wiki
-- The wiki and its languages. Name and default language are null before the first import.
select w.name, w.default_locale as "defaultLocale", w.license,
       coalesce((select json_agg(json_build_object('locale', l.locale, 'name', l.name) order by l.locale)
                   from guest.locale l), '[]') as locales
  from (select) as one
  left join guest.wiki w on true;
