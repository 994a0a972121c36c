from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory_core", "0004_token_namespace")]

    operations = [
        migrations.AddField("memory", "confirmed_at", models.DateTimeField(null=True)),
    ]
