drop index if exists source.lectern_history_of_page, source.lectern_tags_of_page, source.lectern_tags_of_version,
  source.lectern_page_path;
