module lectern.example/walk

go 1.19
